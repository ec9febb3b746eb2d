/** Rewrites what passes between browsers and the bank's pages, so that the pages belong to the PSU listener. */
import type { IncomingMessage } from 'node:http';
import type { Recognise } from '../../spec/index.js';
import { answerHeaders } from './forward-headers.js';
import { createLinkMap, withoutSlash } from './link-map.js';

export interface TurnParts {
  readonly target: URL;
  readonly apiTarget: URL;
  readonly urls: () => { readonly api: string; readonly psu: string };
  /** Further bases of the API. */
  readonly further?: readonly URL[];
  readonly recognise: Recognise;
}

type Turn = (location: string) => string | null;

/** The place of the bank's Location on the PSU listener; null if it leads elsewhere, such as to the TPP. */
export function createTurn({ target, apiTarget, further = [], urls, recognise }: TurnParts): Turn {
  const base = withoutSlash(target.pathname);
  const { turn } = createLinkMap({
    target: apiTarget,
    further,
    psuTarget: target,
    urls,
    recognise,
    psuPages: true,
  });
  return (location) => {
    if (location.startsWith('/') && !location.startsWith('//')) {
      if (base === '') return null;
      // Addresses outside the base have no place on the listener.
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

/** It would bind the browser to HTTPS for all of localhost, for a year. */
const DROPPED = new Set(['strict-transport-security', 'alt-svc']);

/** Headers of an answer, as flat names and values. */
export function rewriteAnswerHeaders(
  raw: readonly string[],
  { target, urls }: Pick<TurnParts, 'target' | 'urls'>,
  turn: Turn,
): string[] {
  const base = withoutSlash(target.pathname);
  const secure = urls().psu.startsWith('https:');
  const flat: string[] = [];
  for (const [name, value] of answerHeaders(raw)) {
    const key = name.toLowerCase();
    if (DROPPED.has(key)) continue;
    if (key === 'set-cookie') flat.push(name, rewriteCookie(value, base, secure));
    else if (key === 'location') flat.push(name, turn(value) ?? value);
    else flat.push(name, value);
  }
  return flat;
}

/** The cookie becomes one of the PSU listener: no domain, no base path, and sent over plain HTTP where that is spoken. */
export function rewriteCookie(cookie: string, base: string, secure: boolean): string {
  const [pair = '', ...attributes] = cookie.split(';');
  const kept = attributes.flatMap((attribute) => {
    const [name = '', value = ''] = attribute.split('=', 2).map((part) => part.trim());
    switch (name.toLowerCase()) {
      case 'domain':
        return [];
      case 'secure':
        return secure ? [attribute] : [];
      case 'path':
        return base !== '' && (value === base || value.startsWith(`${base}/`))
          ? [` Path=${value.slice(base.length) || '/'}`]
          : [attribute];
      default:
        return [attribute];
    }
  });
  return [pair, ...kept].join(';');
}
