/** Addresses of the bank's pages as the PSU listener has them, and back. */
import type { IncomingMessage } from 'node:http';
import type { Recognise } from '../../spec/index.js';
import { createLinkMap, withoutSlash } from './link-map.js';

export interface TurnParts {
  /** Base of the bank's pages. */
  readonly target: URL;
  /** Base of the bank's API. */
  readonly apiTarget: URL;
  readonly urls: () => { readonly api: string; readonly psu: string };
  readonly recognise: Recognise;
}

type Turn = (location: string) => string | null;

/** What a Location of the bank is on the PSU listener; null: any other, which is the TPP's, or no business of ours. */
export function createTurn({ target, apiTarget, urls, recognise }: TurnParts): Turn {
  const base = withoutSlash(target.pathname);
  const { turn } = createLinkMap({ target: apiTarget, psuTarget: target, urls, recognise, psuPages: true });
  return (location) => {
    if (location.startsWith('/') && !location.startsWith('//')) {
      if (base === '') return null;
      // What is not below the base has no place on the listener.
      const below = location.slice(base.length);
      if (!location.startsWith(base) || !/^(?:[/?#]|$)/.test(below)) return target.origin + location;
      // Two slashes would begin the name of another host.
      return /^\/(?!\/)/.test(below) ? below : withoutSlash(urls().psu) + below;
    }
    const rewritten = turn(location, 'scaRedirect');
    return rewritten === null ? null : rewritten.prefix + location.slice(rewritten.cut);
  };
}

/**
 * The bank compares Origin and Referer with itself; what is for this gateway stays here. Done on the request that
 * came, because one that waits for a connection can no longer be changed.
 */
export function rewriteRequestHeaders({ headers }: IncomingMessage, target: URL, psuUrl: string): void {
  for (const name of Object.keys(headers)) {
    if (name.startsWith('sandgate-') || name === 'expect') delete headers[name];
  }
  const ours = withoutSlash(psuUrl);
  if (headers.origin === new URL(ours).origin) headers.origin = target.origin;
  if (headers.referer?.startsWith(`${ours}/`)) {
    headers.referer = target.origin + withoutSlash(target.pathname) + headers.referer.slice(ours.length);
  }
}
