/** The request target, as clients may write it: a path, or the whole address of this listener (RFC 9112 3.2). */

export interface OwnAddress {
  /** Base URL under which the listener is reached. */
  readonly url: string;
  /** The host that it was told to listen on. */
  readonly host: string;
}

/** Of a connection, as Node tells it. */
export interface LocalEnd {
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
const ABSOLUTE = /^https?:\/\/[^/?#@\\]+(?=[/?]|$)/i;

/** Path and query; null where it is no target of ours. */
export function originForm(target: string, own: () => OwnAddress, end: LocalEnd): string | null {
  if (target.includes('%00')) return null;
  if (target.startsWith('/')) return target;
  const authority = ABSOLUTE.exec(target)?.[0];
  if (authority === undefined || !URL.canParse(authority) || !isOwn(new URL(authority), own(), end))
    return null;
  const rest = target.slice(authority.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function isOwn(url: URL, own: OwnAddress, { localAddress = '', localPort }: LocalEnd): boolean {
  if (URL.canParse(own.url) && url.host === new URL(own.url).host) return true;
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  if (port !== localPort) return false;
  const address = localAddress.replace(/^::ffff:/, '');
  const names = [own.host, address, `[${address}]`];
  return names.includes(url.hostname) || (LOOPBACK.has(url.hostname) && isLoopbackAddress(address));
}

function isLoopbackAddress(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}
