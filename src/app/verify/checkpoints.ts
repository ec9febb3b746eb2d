/** Checks a session against the checkpoints that a gateway signed while recording. */
import { checkWitness, type TrustedKey } from '../../evidence/index.js';
import type { Report } from '../../report/index.js';
import type { Store } from '../../store/index.js';
import { type Check, checked } from './check.js';

export interface CheckpointParts {
  /** null where the reader has none. */
  readonly key: TrustedKey | null;
  /** The reader named it: it must be the right one. */
  readonly isNamed: boolean;
  /** Checkpoints that were kept outside, each a JWS. */
  readonly outside: readonly string[];
}

/** null where nobody expects a checkpoint: the session has none, the report tells of none, and none was given. */
export async function checkCheckpoints(
  { head, evidence }: Report,
  store: Store,
  { key, isNamed, outside }: CheckpointParts,
): Promise<Check | null> {
  const session = head.recording.session ?? '';
  const held = store.chainNotes(session, 'checkpoint').length + outside.length;
  if (held === 0 && evidence.witness === null && !isNamed) return null;
  const only = (sound: boolean | null, text: string) => checked('checkpoints', sound, text);
  if (key === null)
    return only(null, `There are ${held} checkpoints; whose they are tells only --evidence-key.`);
  const found = await checkWitness(store, session, { keys: [key], outside, mostBreaks: 0 });
  const fitting = found.checkpoints.filter(({ state }) => state === 'fits');
  const amiss = found.checkpoints.filter(({ state }) => state === 'differs');
  if (amiss.length > 0)
    return checked(
      'checkpoints',
      false,
      `The session is not what was signed with the key ${short(key)} as it was recorded.`,
      amiss.map(({ checkpoint: { entries, head: hash, at } }) => ({
        exchange: null,
        text: `The checkpoint of ${at} says that entry ${entries} has the hash ${hash}.`,
      })),
    );
  if (fitting.length === 0)
    return only(isNamed ? false : null, `No checkpoint of the session is of the key ${short(key)}.`);
  const left = found.unwitnessedExchanges.slice(0, 5).join(', ');
  const rest =
    found.unwitnessed === 0 ? '' : ` No checkpoint covers ${found.unwitnessed} others, from ${left} on.`;
  const last = fitting
    .map(({ checkpoint }) => checkpoint.at)
    .sort()
    .at(-1);
  return only(
    true,
    `${found.witnessed} exchanges are as the gateway with the key ${short(key)} recorded and signed them, in ${fitting.length} checkpoints, the last of ${last}.${rest}`,
  );
}

const short = ({ name }: TrustedKey): string => name.slice(0, 16);
