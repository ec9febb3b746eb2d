/** Points the links of recorded answers at the listeners of this run. */
import { calledOrigin, type Exchange, type OwnListener } from '../../exchange/index.js';
import { createRecogniser } from '../../spec/index.js';

/** A link as the origin it leads to now and what follows; `listener` null: a path alone stays one. */
export interface Turned {
  readonly listener: OwnListener | null;
  readonly rest: string;
}

export interface LinkRewriter {
  /** `name` is what the link is called; null where it leads to nothing of this interface. */
  readonly rewrite: (url: string, name: string) => Turned | null;
}

export interface LinkRewriterParts {
  /** The fixed path segment of this run, and that of the recording. */
  readonly segment: string;
  readonly recordedSegment: string;
  /** Origins that recorded calls went to, with the listener that stands for each. */
  readonly origins: ReadonlyMap<string, OwnListener>;
}

/** Where the PSU authorises, whatever path a bank gives it. */
const AUTHORISE_LINKS = new Set(['scaOAuth', 'authorization_endpoint']);
const ORIGIN = /^https?:\/\/[^/?#\\\s]+/i;

export function createLinkRewriter({ segment, recordedSegment, origins }: LinkRewriterParts): LinkRewriter {
  const recognise = createRecogniser(recordedSegment);
  const starts = [`/internal/${recordedSegment}/`, `/${recordedSegment}/`];
  const ownSegment = (rest: string): string =>
    segment === recordedSegment ? rest : rest.replace(`/${recordedSegment}/`, `/${segment}/`);

  /** What follows the base path of the bank; null where no path of the interface follows. */
  const belowBase = (rest: string): string | null => {
    const path = rest.split(/[?#]/, 1)[0] as string;
    for (const start of starts) {
      const at = path.indexOf(start);
      if (at >= 0) return rest.slice(at);
    }
    return null;
  };

  return {
    rewrite: (url, name) => {
      const origin = ORIGIN.exec(url)?.[0] ?? '';
      if (origin === '' && !/^\/(?![/\\])/.test(url)) return null;
      const rest = url.slice(origin.length);
      const below = belowBase(rest);
      const recognition = below === null ? null : recognise('GET', below.split(/[?#]/, 1)[0] as string);
      const isKnown = recognition !== null && recognition.kind !== 'path-unknown';
      const isAuthorizationRequest =
        recognition?.kind === 'operation' && recognition.operation === 'oauth.authorize';
      const listener = origins.get(origin.toLowerCase());
      if (below !== null && isKnown) {
        const stays = origin === '' && !isAuthorizationRequest;
        return { listener: stays ? null : isAuthorizationRequest ? 'psu' : 'api', rest: ownSegment(below) };
      }
      if (AUTHORISE_LINKS.has(name)) return { listener: 'psu', rest };
      return listener === undefined ? null : { listener, rest: ownSegment(below ?? rest) };
    },
  };
}

/** By the Host that each recorded call named, and where it went besides. A host that both listeners had belongs to the API. */
export function recordedOrigins(exchanges: readonly Exchange[]): ReadonlyMap<string, OwnListener> {
  const origins = new Map<string, OwnListener>();
  for (const { call } of exchanges) {
    if (call.direction === 'to-tpp') continue;
    const listener = call.listener === 'psu' ? 'psu' : 'api';
    for (const origin of originsOf(call)) {
      if (listener === 'api' || !origins.has(origin)) origins.set(origin, listener);
    }
  }
  return origins;
}

function originsOf(call: Exchange['call']): string[] {
  const host = call.header.host?.toLowerCase();
  const named = host === undefined ? [] : [`https://${host}`, `http://${host}`];
  const called = calledOrigin(call);
  return called === undefined ? named : [...named, called];
}
