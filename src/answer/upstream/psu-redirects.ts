/** Remembers where authorise calls want the browser back, so that the redirect that answers one is known when it comes. */
import type { Call } from '../../exchange/index.js';

export interface PsuRedirects {
  readonly expect: (call: Call) => void;
  /** The call that a Location answers; each is found once. */
  readonly take: (location: string) => Call | null;
}

/** `most` calls are remembered, the oldest is forgotten first. */
export function createPsuRedirects(most: number): PsuRedirects {
  const expected = new Map<string, Call>();
  return {
    expect: (call) => {
      const { redirect_uri: uri, state } = Object.fromEntries(call.request.query);
      const key = uri === undefined ? null : keyOf(uri, state);
      if (key === null) return;
      expected.delete(key);
      expected.set(key, call);
      const [oldest] = expected.keys();
      if (expected.size > most && oldest !== undefined) expected.delete(oldest);
    },
    take: (location) => {
      const key = keyOf(location);
      const call = key === null ? undefined : expected.get(key);
      if (key === null || call === undefined) return null;
      expected.delete(key);
      return call;
    },
  };
}

/** A redirect URI may have a query of its own, and an app's scheme. `state` is that of the URI where not given. */
function keyOf(uri: string, state?: string): string | null {
  if (!URL.canParse(uri)) return null;
  const { protocol, host, pathname, searchParams, hash } = new URL(uri);
  const named = state ?? searchParams.get('state') ?? new URLSearchParams(hash.slice(1)).get('state') ?? '';
  return `${protocol}//${host}${pathname}\n${named}`;
}
