/** Maps links of the bank to the gateway: API links to the API listener, authorize links to the PSU listener. */
import { AUTHORISE_LINKS, type Recognise } from '../../spec/index.js';

/** The first `cut` characters of a link give way to `prefix`; the rest stays as it is. */
export interface Turn {
  readonly cut: number;
  readonly prefix: string;
}

/** `name` is what the link is called: the key in `_links`, the member of a discovery document, or empty. */
export type TurnLink = (url: string, name: string) => Turn | null;

export type LinkMap = ReturnType<typeof createLinkMap>;

export interface LinkMapParts {
  /** Base of the bank's API, with its base path where it has one. */
  readonly target: URL;
  /** Its bases for some operations. */
  readonly further?: readonly URL[];
  /** The address of the bank's pages; absent: the same as the target. */
  readonly psuTarget?: URL | undefined;
  /** Base URLs of the gateway's listeners; a function, because a port may be known late. */
  readonly urls: () => { readonly api: string; readonly psu: string };
  readonly recognise: Recognise;
  /** Whether the PSU listener shows the bank's pages themselves. */
  readonly psuPages: boolean;
}

/** Links that a browser follows: the API listener would ask it for a certificate. */
const PAGE_LINKS = new Set(['scaRedirect', 'op_policy_uri', 'op_tos_uri', 'service_documentation']);

const AUTHORITY = /^https?:\/\/[^/?#\\]*/i;

export function createLinkMap(parts: LinkMapParts) {
  const { recognise, psuPages, further = [] } = parts;
  const home = parts.target.origin;
  const reaches = [parts.target, ...further].map((one) => reachOf(one, one.origin));
  const reachApi = (url: string): number => Math.max(...reaches.map((reach) => reach(url)));
  const reachPsu = reachOf(parts.psuTarget ?? parts.target, home);

  const toPsu = (cut: number): Turn => ({ cut, prefix: withoutSlash(parts.urls().psu) });
  const toApi = (url: string, cut: number): Turn => {
    // A path alone stays one, if one is left: it only loses the base that the gateway does not have.
    const isPath = url[cut] === '/' && url[cut + 1] !== '/';
    if (url.startsWith('/') && isPath) return { cut, prefix: '' };
    return { cut, prefix: withoutSlash(parts.urls().api) };
  };

  const turn: TurnLink = (url, name) => {
    const onApi = reachApi(url);
    const onPsu = reachPsu(url);
    if (onApi < 0 && onPsu < 0) return null;
    const recognition = recognise('GET', pathAfter(url, onApi < 0 ? onPsu : onApi));
    const known = recognition.kind !== 'path-unknown';
    const authorises = recognition.kind === 'operation' && recognition.operation === 'oauth.authorize';
    if (authorises || (!known && AUTHORISE_LINKS.has(name))) {
      return onPsu < 0 ? null : toPsu(onPsu);
    }
    if (!known && (PAGE_LINKS.has(name) || onApi < 0)) {
      return psuPages && onPsu >= 0 ? toPsu(onPsu) : null;
    }
    return onApi < 0 ? null : toApi(url, onApi);
  };
  // Links without origin are turned only below a base path. Any of it may be escaped.
  const bases = [parts.target, parts.psuTarget ?? parts.target, ...further].map(({ pathname }) =>
    withoutSlash(pathname),
  );
  const signs = ['://', '\\', ...new Set(bases.filter((base) => base !== ''))];
  return {
    turn,
    /** False where none of the links in a JSON text is turned, for which it need not be gone through. */
    mayTurnIn: (json: string): boolean => signs.some((sign) => json.includes(sign)),
  };
}

/**
 * Length of what stands in a URL before the path below the site's base; -1 where the URL is not of this site. `home` is the
 * origin that a path without one belongs to.
 */
function reachOf(target: URL, home: string): (url: string) => number {
  const { origin } = target;
  const base = withoutSlash(target.pathname);
  return (url) => {
    const start = originLength(url, origin, home);
    if (start < 0 || !url.startsWith(base, start)) return -1;
    const end = start + base.length;
    // A path of its own is nothing new to a site without base path: the client resolves it by itself.
    return end > 0 && isBoundary(url, end) ? end : -1;
  };
}

/** Length of the origin that the URL begins with, 0 for a path alone, -1 for any other origin. */
function originLength(url: string, origin: string, home: string): number {
  if (url.startsWith('/')) return url.startsWith('//') || origin !== home ? -1 : 0;
  if (url.startsWith(origin) && isBoundary(url, origin.length)) return origin.length;
  const authority = AUTHORITY.exec(url)?.[0];
  // Letter case and a default port may be spelled otherwise; credentials in a URL are no one's link.
  if (authority === undefined || authority.includes('@') || !URL.canParse(authority)) return -1;
  return new URL(authority).origin === origin ? authority.length : -1;
}

function isBoundary(url: string, end: number): boolean {
  const next = url[end];
  return next === undefined || next === '/' || next === '?' || next === '#';
}

function pathAfter(url: string, start: number): string {
  let end = start;
  while (end < url.length && url[end] !== '?' && url[end] !== '#') end++;
  return url.slice(start, end);
}

/** A base without its last slash: `/sandbox/` is `/sandbox`, `/` is nothing. */
export function withoutSlash(base: string): string {
  return base.endsWith('/') ? base.slice(0, -1) : base;
}
