/** The subject of the matchers: a gateway, or its session. */

import { slipOf } from '../../spec/index.js';
import type { Session } from '../session-types.js';

export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The session that is meant. An empty one is an error: a test that judges nothing would pass for ever. */
export function openSubject(received: unknown, matcher: string): Session {
  const session = sessionOf(received);
  if (session === null)
    throw new TypeError(
      `${matcher}() looks at a gateway of sandgate/testing, or at its session(), not at ${typeName(received)}.`,
    );
  if (session.exchanges.length === 0)
    throw new Error(
      `${matcher}() has nothing to look at: no call has reached the gateway. Was the client given gateway.urls?`,
    );
  return session;
}

function sessionOf(received: unknown): Session | null {
  if (typeof received !== 'object' || received === null) return null;
  if ('session' in received && typeof received.session === 'function') return sessionOf(received.session());
  const isSession = 'exchanges' in received && 'findings' in received;
  return isSession && Array.isArray(received.exchanges) && Array.isArray(received.findings)
    ? (received as Session)
    : null;
}

function typeName(value: unknown): string {
  if (value instanceof Promise) return 'a promise (await it first)';
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;
}

export function unknownName(what: string, name: string, known: readonly string[]): TypeError {
  const meant = slipOf(name, known);
  return new TypeError(`There is no ${what} ${name}.${meant === '' ? '' : ` Did you mean ${meant}?`}`);
}
