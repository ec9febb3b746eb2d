/** Whether checkpoints were made when they say: what time stamping authorities show of each. */

import { FAR_MS, type SignedCheckpoint, type Stamped } from '../../evidence/index.js';
import { counted } from '../../spec/index.js';
import { type Check, checked } from './check.js';

type State = Stamped['state'];

/** None where no checkpoint has a time stamp, and none was asked for. `file`: what the user calls that of the anchors. */
export function checkTimeStamps(
  fitting: readonly SignedCheckpoint[],
  isAsked: boolean,
  file: string,
): Check[] {
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
