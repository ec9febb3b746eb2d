/** Keeps pages of other sites, TPPs behind a Sandgate, and callers without the admin token away from the admin listener. */
import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { SENT_KEY } from '../outgoing/index.js';

type Denied = { readonly status: 400 | 401 | 403; readonly text: string };

type Guarded = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders'>;

type Guard = (request: Guarded, isOpen: boolean) => Denied | null;

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Without token the listener is on loopback, and a page of another site must not reach it under a name of its own
 * (DNS rebinding): Host must be a loopback name. With a token that is proof enough, and probes may use any name.
 * `isOpen`: a path that asks for no token.
 */
export function createGuard({ host, token }: { host: string; token: string | undefined }): Guard {
  const names = new Set([...LOOPBACK_NAMES, host.includes(':') ? `[${host}]` : host]);
  const expected = token === undefined ? undefined : digest(token);

  return (request, isOpen) => {
    const { headers } = request;
    if (hostsOf(request) > 1)
      return { status: 400, text: 'A request must carry one Host header, not several.' };
    if (headers[SENT_KEY] !== undefined)
      return {
        status: 403,
        text: 'A Sandgate sent this for somebody else, who may not reach this listener.',
      };
    const name = nameOf(headers.host);
    if (expected === undefined && !names.has(name))
      return { status: 403, text: 'The Host header does not name a loopback address.' };
    if (headers.origin !== undefined && !isOwnOrigin(headers.origin, headers, expected !== undefined))
      return { status: 403, text: 'The Origin header names another site.' };
    if (isOfOtherSite(request))
      return { status: 403, text: 'The request comes from a page of another site.' };
    if (expected === undefined || isOpen) return null;
    const given = tokenOf(headers.authorization ?? '');
    if (given !== undefined && timingSafeEqual(digest(given), expected)) return null;
    return {
      status: 401,
      text: 'The admin token is missing or wrong: send it as Authorization: Bearer, or as the password of a browser.',
    };
  };
}

/** A program sends it as Bearer; a browser asks its user for a password, and sends it as Basic with any name. */
function tokenOf(authorization: string): string | undefined {
  const [, scheme, credentials] = /^(Bearer|Basic) (\S+)$/i.exec(authorization) ?? [];
  if (credentials === undefined || scheme?.toLowerCase() === 'bearer') return credentials;
  const text = Buffer.from(credentials, 'base64').toString();
  return text.includes(':') ? text.slice(text.indexOf(':') + 1) : undefined;
}

/** A proxy in front may take the second for the name where this listener takes the first. */
const hostsOf = ({ rawHeaders }: Guarded): number =>
  rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length;

/**
 * Browsers say where a request comes from; programs do not. A page of another site cannot read what it asks for here, but
 * could take up all places of those who follow. It may hold a link to a page, which opens as a document of its own.
 */
function isOfOtherSite({ method, url = '', headers }: Guarded): boolean {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return false;
  const isLink = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return !isLink || method !== 'GET' || url.startsWith('/api/');
}

/** Equal lengths for the comparison, whatever was sent. */
const digest = (text: string) => hash('sha256', text, 'buffer');

const nameOf = (host: string | undefined) => (host ?? '').toLowerCase().replace(/:\d+$/, '');

/**
 * Scheme, host and port. The listener speaks plain HTTP; where a token is asked, a proxy in front of it may speak TLS,
 * and says so: a page of another site cannot send that header.
 */
function isOwnOrigin(origin: string, headers: IncomingHttpHeaders, mayBeBehindProxy: boolean): boolean {
  const forwarded = mayBeBehindProxy ? headers['x-forwarded-proto'] : undefined;
  const own = `${forwarded === 'https' ? 'https' : 'http'}://${headers.host ?? ''}`;
  return URL.canParse(origin) && URL.canParse(own) && new URL(origin).origin === new URL(own).origin;
}
