/** Recognises the redirect that ends an authorization request after the pages of a bank. */
import type { AuthorizeFact } from './facts.js';

export interface EndedRequest {
  readonly exact: string | null;
  /** The latest of those who want to be led there, whatever state the redirect has: that is worth judging most. */
  readonly latest: string | null;
}

export function requestEndedBy(authorizes: Iterable<AuthorizeFact>, location: string): EndedRequest {
  const places = new Map<string, Place | null>();
  const readPlace = (uri: string): Place | null => {
    const known = places.get(uri);
    if (known !== undefined) return known;
    const place = placeOf(uri);
    places.set(uri, place);
    return place;
  };
  const end = placeOf(location);
  let exact: string | null = null;
  let latest: string | null = null;
  if (end === null) return { exact, latest };
  for (const { awaited, redirectUri, state } of authorizes) {
    if (awaited === undefined) continue;
    const place = readPlace(redirectUri);
    if (place?.address !== end.address) continue;
    latest = laterOf(latest, awaited);
    if ((state || place.state) === end.state) exact = laterOf(exact, awaited);
  }
  return { exact, latest };
}

const laterOf = (one: string | null, other: string) => (one === null || other > one ? other : one);

interface Place {
  readonly address: string;
  readonly state: string;
}

/** A redirect URI may have a query of its own, and an app's scheme. */
function placeOf(uri: string): Place | null {
  if (!URL.canParse(uri)) return null;
  const { protocol, host, pathname, searchParams, hash } = new URL(uri);
  const state = searchParams.get('state') ?? new URLSearchParams(hash.slice(1)).get('state') ?? '';
  return { address: `${protocol}//${host}${pathname}`, state };
}
