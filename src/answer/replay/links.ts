/** Points the links of recorded answers at the listeners of this run. */
import { calledOrigin, type Exchange, type OwnListener } from '../../exchange/index.js';
import { AUTHORISE_LINKS, type Dialect } from '../../spec/index.js';

const ORIGIN = /^https?:\/\/[^/?#\\\s]+/i;

export type LinkRewriter = ReturnType<typeof createLinkRewriter>;

/** `recorded`: the interface of the recording; `dialect`: that of this run. */
export function createLinkRewriter(exchanges: readonly Exchange[], dialect: Dialect, recorded: Dialect) {
  const origins = recordedOrigins(exchanges);
  const { recognise } = recorded;
  const ownPath = (rest: string): string => {
    if (dialect === recorded) return rest;
    const path = rest.split(/[?#]/, 1)[0] as string;
    const found = recognise('GET', path);
    if (found.kind !== 'operation' || !dialect.offers(found.operation)) return rest;
    return dialect.pathOf(found.operation, found.params) + rest.slice(path.length);
  };

  /** The path below the bank's base path; null if it is no path of the interface. */
  const belowBase = (rest: string): string | null => {
    const path = rest.split(/[?#]/, 1)[0] as string;
    const at = recorded.startOf(path);
    return at < 0 ? null : rest.slice(at);
  };

  /** The origin that a link leads to now, and the rest; `listener` null: a path alone stays one. null: not of this interface. */
  return (
    url: string,
    name: string,
  ): { readonly listener: OwnListener | null; readonly rest: string } | null => {
    const origin = ORIGIN.exec(url)?.[0] ?? '';
    if (origin === '' && !/^\/(?![/\\])/.test(url)) return null;
    const rest = url.slice(origin.length);
    const below = belowBase(rest);
    const recognition = below === null ? null : recognise('GET', below.split(/[?#]/, 1)[0] as string);
    if (below !== null && recognition !== null && recognition.kind !== 'path-unknown') {
      const isAuthorise = recognition.kind === 'operation' && recognition.operation === 'oauth.authorize';
      const listener = isAuthorise ? 'psu' : origin === '' ? null : 'api';
      return { listener, rest: ownPath(below) };
    }
    if (AUTHORISE_LINKS.has(name)) return { listener: 'psu', rest };
    const listener = origins.get(origin.toLowerCase());
    return listener === undefined ? null : { listener, rest: ownPath(below ?? rest) };
  };
}

/** By the Host that each recorded call named, and where it went besides. A host that both listeners had belongs to the API. */
function recordedOrigins(exchanges: readonly Exchange[]): ReadonlyMap<string, OwnListener> {
  const origins = new Map<string, OwnListener>();
  for (const { call } of exchanges) {
    if (call.direction === 'to-tpp') continue;
    const listener = call.listener === 'psu' ? 'psu' : 'api';
    const host = call.header.host?.toLowerCase();
    const named = host === undefined ? [] : [`https://${host}`, `http://${host}`];
    for (const origin of [...named, calledOrigin(call) ?? []].flat())
      if (listener === 'api' || !origins.has(origin)) origins.set(origin, listener);
  }
  return origins;
}
