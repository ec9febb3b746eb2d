/** The request header `Sandgate-Session`: in which session a call is recorded. */
import type { HeaderList } from '../exchange/index.js';
import { type Awaitable, after, isSessionName, SESSION_NAME_FORM } from '../store/index.js';
import type { GatewayFault } from './arrivals.js';
import { sessionFault } from './faults.js';

/** Who asks for a session: a TPP, a caller who has not shown who it is, or a browser by a link of calls that were recorded in it. */
export type SessionAsker = { readonly tpp: string | null } | 'stranger' | 'link';

/** The session of a name, or half an answer on why it cannot be had. */
export type NamedSession = { readonly session: string } | { readonly problem: string };

export interface SessionChoice {
  /** null: the gateway's own. */
  readonly session: string | null;
  readonly headers: HeaderList;
  readonly problem: GatewayFault | null;
}

const HEADER = 'sandgate-session';
const FORM_FAULT = sessionFault(`Sandgate-Session must hold ${SESSION_NAME_FORM}.`);

/** null where the call names no session. */
export function chooseSession(
  headers: HeaderList,
  named: (name: string) => Awaitable<NamedSession>,
): Awaitable<SessionChoice> | null {
  let wanted: string | null = null;
  let count = 0;
  for (const [name, value] of headers) {
    if (name.length !== HEADER.length || name.toLowerCase() !== HEADER) continue;
    wanted = value;
    count += 1;
  }
  if (wanted === null) return null;
  const others = headers.filter(([name]) => name.toLowerCase() !== HEADER);
  if (count > 1 || !isSessionName(wanted)) return { session: null, headers: others, problem: FORM_FAULT };
  return after(named(wanted), (found) =>
    'session' in found
      ? { session: found.session, headers: others, problem: null }
      : { session: null, headers: others, problem: sessionFault(found.problem) },
  );
}
