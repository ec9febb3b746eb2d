/**
 * What a judge remembers from one call to the next. It makes judging fast and changes no verdict; it is bounded, and goes
 * with its judge. Below the recorder nothing else remembers.
 */
import {
  type Answer,
  type Call,
  type Content,
  type HeaderList,
  headerKey,
  isKeptContent,
  type TlsFacts,
} from '../exchange/index.js';
import { HEADERS, type HeaderRow } from '../spec/index.js';
import type { ExchangeContext, Verdicts } from './rule.js';
import { BEGUN, type Walk } from './walk.js';

/** Results of the first rules of a plan, valid while everything that they read is unchanged. */
export interface WalkMemory {
  /** Numbers of rules behind which a walk is remembered, ascending. */
  readonly ends: readonly number[];
  readonly recall: (context: ExchangeContext) => Walk;
  readonly remember: (context: ExchangeContext, walk: Walk) => void;
}

interface KnownConnection {
  readonly second: number;
  readonly certificate: Call['certificate'];
  readonly walk: Walk;
  head: { readonly seen: SeenHead; readonly walk: Walk } | null;
}

/** Files of others tell nothing of connections: all of their calls come over this one. */
const NOT_OBSERVED: TlsFacts = { version: '', cipher: '', resumed: false };

/** First the rules about the connection, then those that look at nothing but its head. Only of calls without fault there. */
export function createCallMemory(aboutConnection: number, aboutHead: number): WalkMemory {
  const connections = new WeakMap<TlsFacts, KnownConnection>();
  // A connection without fault is judged once a second: certificates begin and end with a second.
  const secondOf = ({ at }: Call): number => Math.floor(at / 1000);
  const tlsOf = ({ connection: { tls } }: Call): TlsFacts | null => {
    if (aboutConnection === 0) return null;
    return tls === 'not-observed' ? NOT_OBSERVED : tls;
  };
  return {
    ends: [aboutConnection, aboutConnection + aboutHead],
    recall: ({ call }) => {
      const tls = tlsOf(call);
      const known = tls === null ? undefined : connections.get(tls);
      if (known === undefined || known.certificate !== call.certificate || known.second !== secondOf(call))
        return BEGUN;
      const { head } = known;
      return head !== null && isSameHead(head.seen, call.request.headers) ? head.walk : known.walk;
    },
    remember: ({ call }, walk) => {
      const tls = tlsOf(call);
      // A fault is told anew each time, that of a connection with the time of the call.
      if (tls === null || walk.hits !== null) return;
      const known = connections.get(tls);
      if (walk.place > aboutConnection && known !== undefined)
        known.head = { seen: seenOf(call.request.headers), walk };
      else connections.set(tls, { second: secondOf(call), certificate: call.certificate, walk, head: null });
    },
  };
}

const row = (name: string): HeaderRow | undefined => (HEADERS as Readonly<Record<string, HeaderRow>>)[name];

/** Headers that a rule which looks at nothing but the head (`looksAt`) may look at. */
export const LOOKED_AT: ReadonlySet<string> = new Set([
  'accept',
  ...Object.keys(HEADERS).filter((name) => {
    const { form, maxLength } = row(name) ?? {};
    return (form !== undefined && form !== 'uuid') || maxLength !== undefined;
  }),
]);

/** The value only where a rule may look at it, else null: tokens and ids are not kept. */
type SeenHead = readonly (readonly [name: string, value: string | null])[];

const seenOf = (headers: HeaderList): SeenHead =>
  headers.map(([name, value]) => [name, LOOKED_AT.has(headerKey(name)) ? value : null]);

/** Whether the head differs in nothing but ids, tokens, and what the interface does not know. */
function isSameHead(seen: SeenHead, headers: HeaderList): boolean {
  if (seen.length !== headers.length) return false;
  for (let i = 0; i < seen.length; i++) {
    const [name, value] = seen[i] as SeenHead[number];
    const header = headers[i] as HeaderList[number];
    if (name !== header[0] || (value !== null && value !== header[1])) return false;
  }
  return true;
}

interface KnownAnswer extends Pick<Answer, 'source' | 'status'> {
  readonly isFault: boolean;
  readonly type: string | undefined;
  readonly location: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly host: string | undefined;
  readonly walk: Walk;
}

/** First the rules that look at nothing but the answer: one walk for each content that comes again, the newest. */
export function createAnswerMemory(aboutAnswer: number): WalkMemory {
  const answers = new WeakMap<Content, KnownAnswer>();
  return {
    ends: [aboutAnswer],
    recall: (context) => {
      const known = answers.get(context.answer.content);
      return known !== undefined && isSameAnswer(known, context) ? known.walk : BEGUN;
    },
    remember: ({ call, answer, exchange }, walk) => {
      if (!isKeptContent(answer.content)) return;
      const { source, status, header } = answer;
      answers.set(answer.content, {
        ...{ source, status, isFault: exchange.fault !== null },
        ...{ type: header['content-type'], location: header.location },
        ...{ method: call.request.method, path: call.request.path, host: call.header.host },
        walk,
      });
    },
  };
}

function isSameAnswer(known: KnownAnswer, { call, answer, exchange }: ExchangeContext): boolean {
  return (
    known.source === answer.source &&
    known.status === answer.status &&
    known.isFault === (exchange.fault !== null) &&
    known.type === answer.header['content-type'] &&
    known.location === answer.header.location &&
    known.method === call.request.method &&
    known.path === call.request.path &&
    known.host === call.header.host
  );
}

/** Both verdicts in one: the same two give the same one. */
export function createMerge(): (before: Verdicts, added: Verdicts) => Verdicts {
  const merged = new WeakMap<Verdicts, WeakMap<Verdicts, Verdicts>>();
  return (before, added) => {
    const ofBefore = merged.get(before) ?? new WeakMap<Verdicts, Verdicts>();
    const known = ofBefore.get(added);
    if (known !== undefined) return known;
    const both = { ...before, ...added };
    merged.set(before, ofBefore.set(added, both));
    return both;
  };
}
