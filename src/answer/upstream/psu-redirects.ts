/** Remembers the redirect URIs of authorization requests, to recognise the redirect that answers one. */
import type { Call } from '../../exchange/index.js';

export interface PsuRedirects {
  readonly expect: (call: Call) => void;
  /**
   * The call that a Location answers; each is found once. One that leads to a TPP with a state that nobody sent, or
   * without one, answers the call that came last of those who want to be led there: that is worth judging most.
   */
  readonly take: (location: string) => Call | null;
}

/** `most` calls are remembered, the oldest is forgotten first. */
export function createPsuRedirects(most: number): PsuRedirects {
  const expected = new Map<string, Call>();
  return {
    expect: (call) => {
      const { redirect_uri: uri, state } = Object.fromEntries(call.request.query);
      const place = uri === undefined ? null : placeOf(uri, state);
      if (place === null) return;
      const key = keyOf(place);
      expected.delete(key);
      expected.set(key, call);
      const [oldest] = expected.keys();
      if (expected.size > most && oldest !== undefined) expected.delete(oldest);
    },
    take: (location) => {
      const place = placeOf(location);
      if (place === null) return null;
      const isThere = (key: string) => key.startsWith(keyOf({ ...place, state: '' }));
      const exact = keyOf(place);
      const key = expected.has(exact) ? exact : [...expected.keys()].findLast(isThere);
      const call = key === undefined ? undefined : expected.get(key);
      if (key === undefined || call === undefined) return null;
      expected.delete(key);
      return call;
    },
  };
}

interface Place {
  readonly address: string;
  readonly state: string;
}

const keyOf = ({ address, state }: Place) => `${address}\n${state}`;

/** A redirect URI may have a query of its own, and an app's scheme. `state` is that of the URI where not given. */
function placeOf(uri: string, state?: string): Place | null {
  if (!URL.canParse(uri)) return null;
  const { protocol, host, pathname, searchParams, hash } = new URL(uri);
  const named = state ?? searchParams.get('state') ?? new URLSearchParams(hash.slice(1)).get('state') ?? '';
  return { address: `${protocol}//${host}${pathname}`, state: named };
}
