/** Checks a session against the checkpoints that a gateway signed while recording. */
import { checkWitness, FAR_MS, type SignedCheckpoint, type Stamped } from '../../evidence/index.js';
import { notesText, type Report } from '../../report/index.js';
import { counted, plural } from '../../spec/index.js';
import { breakText, type Store } from '../../store/index.js';
import { type EvidenceKey, notesIn, type ReaderTrust } from '../report/witness.js';
import { type Check, checked } from './check.js';

interface CheckpointParts extends ReaderTrust {
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

type State = Stamped['state'];

/** None where no checkpoint has a time stamp, and none was asked for. `file`: what the user calls that of the anchors. */
function checkTimeStamps(fitting: readonly SignedCheckpoint[], isAsked: boolean, file: string): Check[] {
  const all = fitting.flatMap(({ checkpoint, stamped }) =>
    stamped === null ? [] : [{ checkpoint, stamped }],
  );
  const isAmiss = ({ state }: Stamped): boolean =>
    state !== 'trusted' && state !== 'unchecked' && (isAsked || state !== 'absent');
  const amiss = all.filter(({ stamped }) => isAmiss(stamped));
  if (isAsked || amiss.length > 0) {
    const details = (isAsked ? [...amiss, ...all.filter((one) => !amiss.includes(one))] : amiss).map(
      ({ checkpoint, stamped }) => ({
        exchange: null,
        text: `The checkpoint of ${checkpoint.at}, entry ${checkpoint.entries}: ${textOf(stamped)}.`,
      }),
    );
    const whose = isAsked ? `, by authorities that ${file} names` : '';
    const text = `Shown to have been made when they say: ${all.length - amiss.length} of ${counted(all.length, 'checkpoint')}${whose}.`;
    return [checked('time stamps', amiss.length === 0, text, details)];
  }
  const count = all.filter(({ stamped }) => stamped.state === 'unchecked').length;
  if (count === 0) return [];
  const text = `Time stamped: ${count} of ${counted(all.length, 'checkpoint')}; whether it is to be believed tells only --timestamp-ca.`;
  return [checked('time stamps', null, text)];
}

function textOf({ state, at, authority }: Stamped): string {
  const when = at === null ? '' : new Date(at).toISOString();
  return AMISS[state](when, authority);
}

const MINUTES = FAR_MS / 60_000;

const AMISS: Readonly<Record<State, (when: string, authority: string) => string>> = {
  trusted: (when, authority) => `stamped ${when} by ${authority}`,
  unchecked: () => 'its time stamp was not checked',
  absent: () => 'it has no time stamp, nor has one after it',
  other: () => 'its time stamp is over something else, or cannot be read',
  forged: () => 'the signature of its time stamp does not fit',
  purpose: (when, authority) =>
    `stamped ${when} by ${authority}, whose certificate is not one for time stamps alone`,
  outdated: (when, authority) => `stamped ${when} by ${authority}, whose certificate was not valid then`,
  stranger: (when, authority) =>
    `stamped ${when} by ${authority}, whose certificate leads to none of the given`,
  late: (when, authority) =>
    `stamped ${when} by ${authority}, more than ${MINUTES} minutes after it, or after what it covers: it may have been made then`,
  early: (when, authority) =>
    `stamped ${when} by ${authority}, more than ${MINUTES} minutes before it, or before what it covers`,
};
