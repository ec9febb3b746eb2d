/** Checks a session against the checkpoints that a gateway signed while recording. */

import { checkWitness } from '../../evidence/index.js';
import { notesText, type Report } from '../../report/index.js';
import { counted, plural } from '../../spec/index.js';
import { breakText, type Store } from '../../store/index.js';
import { type EvidenceKey, notesIn, type ReaderTrust } from '../report/witness.js';
import { type Check, checked } from './check.js';
import { checkTimeStamps } from './time-stamps.js';

export interface CheckpointParts extends ReaderTrust {
  /** What the user calls the file of the anchors. */
  readonly anchorsFile: string;
}

/** None where nobody expects a checkpoint: the session has none, the report tells of none, and none was asked for. */
export async function checkCheckpoints(
  { head, evidence }: Report,
  store: Store,
  { key, outside, anchors, anchorsFile }: CheckpointParts,
): Promise<Check[]> {
  const session = head.recording.session ?? '';
  const held = (await store.chains.notes(session, 'checkpoint')).length + outside.length;
  const isAsked = key?.isNamed === true || anchors.length > 0;
  if (held === 0 && evidence.witness === null && !isAsked) return [];
  const only = (sound: boolean | null, text: string) => [checked('checkpoints', sound, text)];
  if (key === null)
    return only(
      anchors.length > 0 && held === 0 ? false : null,
      `There ${plural(held, 'is', 'are')} ${counted(held, 'checkpoint')}; whose ${plural(held, 'it is', 'they are')} is only known with --evidence-key.`,
    );
  const found = await checkWitness(store, session, { keys: [key], outside, anchors, mostBreaks: 1 });
  const fitting = found.checkpoints.filter(({ state }) => state === 'fits');
  const amiss = found.checkpoints.filter(({ state }) => state === 'differs');
  if (amiss.length > 0)
    return [
      checked(
        'checkpoints',
        false,
        `The session is not the one that was signed with the key ${short(key)} while it was recorded.`,
        amiss.map(({ checkpoint: { entries, head: hash, at } }) => ({
          exchange: null,
          text: `The checkpoint of ${at} says that entry ${entries} has the hash ${hash}.`,
        })),
      ),
    ];
  if (fitting.length === 0)
    return only(
      isAsked ? false : null,
      `No checkpoint of the session was signed with the key ${short(key)}.`,
    );
  const [removal] = found.breaks.filter(({ kind }) => kind === 'removed');
  if (removal !== undefined) return only(false, `By the notes that checkpoints cover, ${breakText(removal)}`);
  if (found.breaks.length > 0)
    return only(
      null,
      `The chain is broken: ${counted(fitting.length, 'checkpoint')} of the key ${short(key)} no longer ${plural(fitting.length, 'proves', 'prove')} what was recorded.`,
    );
  const left = found.unwitnessedExchanges.slice(0, 5).join(', ');
  const rest =
    found.unwitnessed === 0
      ? ''
      : ` No checkpoint covers ${counted(found.unwitnessed, 'other')}, from ${left} on.`;
  const last = fitting
    .map(({ checkpoint }) => checkpoint.at)
    .sort()
    .at(-1);
  return [
    ...only(
      true,
      `${counted(found.witnessed, 'record of an exchange is', 'records of exchanges are')} as the gateway with the key ${short(key)} recorded and signed ${plural(found.witnessed, 'it', 'them')}, in ${counted(fitting.length, 'checkpoint')}, the last of ${last}.${rest}${earlierText(found.earlier)}${notesText(notesIn(found.unwitnessedNotes))}${key.isNamed ? '' : FOUND_KEY}`,
    ),
    ...checkTimeStamps(fitting, anchors.length > 0, anchorsFile),
  ];
}

const earlierText = (earlier: number): string =>
  earlier === 0
    ? ''
    : ` ${counted(earlier, 'checkpoint')} kept outside ${plural(earlier, 'is', 'are')} of a session of this name that is gone.`;

/** A key that lies where a gateway leaves it proves less than one that was handed over. */
const FOUND_KEY =
  ' The key was read from that file, and whoever can write it chose the key. Give the one that you trust with --evidence-key.';

const short = ({ name, file }: EvidenceKey): string => `${name.slice(0, 16)} (${file})`;
