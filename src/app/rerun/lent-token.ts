/** An access token that the user provides for calls whose own token this run did not get. */
import type { Exchange, HeaderList } from '../../exchange/index.js';
import type { RunState } from './run-state.js';

export interface LentToken {
  readonly token: string;
  /** The consent that it was given for; null: that of the recording. */
  readonly consent: string | null;
}

/** What a call uses in place of what was recorded; null where it needs none, or has one of this run. */
export interface Loan {
  /** Recorded values that this run need not have got. */
  readonly covers: ReadonlySet<string>;
  readonly headersWith: (headers: HeaderList) => HeaderList;
}

/** The token goes to the API alone. A token that nobody gave, and that was refused, is no reason to lend one. */
export function lendToken(
  { call, answer }: Exchange,
  lent: LentToken | undefined,
  state: RunState,
): Loan | null {
  const recorded = call.header.authorization?.replace(/^\S+\s+/, '') ?? '';
  if (lent === undefined || recorded === '' || call.listener !== 'api') return null;
  if (answer === null || (answer.status >= 400 && !state.missing.has(recorded))) return null;
  const known = state.sent.valueOf(recorded);
  if (known !== undefined && known !== lent.token) return null;
  state.sent.learn(recorded, lent.token);
  const consent = call.header['consent-id'];
  return {
    covers: new Set([recorded, ...(consent === undefined ? [] : [consent])]),
    headersWith: (headers) =>
      headers.map(([name, value]) =>
        name.toLowerCase() === 'consent-id' ? [name, lent.consent ?? consent ?? value] : [name, value],
      ),
  };
}
