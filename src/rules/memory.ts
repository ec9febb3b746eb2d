/**
 * What a judge remembers from one call to the next. It makes judging fast and changes no verdict; it is bounded, and goes
 * with its judge. Below the recorder nothing else remembers.
 */
import { type Call, isKeptContent, type TlsFacts } from '../exchange/index.js';
import type { Dependency, ExchangeContext, Judged, Outcome, Rule, Verdicts } from './rule.js';
import type { Walk } from './walk.js';

export interface Memory {
  /** The check of a rule; of one that says what it depends on, such that remembers its outcomes. */
  readonly checkOf: (rule: Rule) => (context: ExchangeContext) => Outcome;
  /** Both verdicts in one: the same two give the same one. */
  readonly merge: (before: Verdicts, added: Verdicts) => Verdicts;
}

/** What the rules of one kind of call have had. */
export interface PlanMemory {
  /** The outcome without findings of all calls with these verdicts. */
  readonly outcome: (verdicts: string, make: () => Judged) => Judged;
  /** Where the walk stands behind the rules about the connection, where this very one was without fault just now. */
  readonly behindConnection: (call: Call) => Walk | undefined;
  readonly rememberConnection: (call: Call, walk: Walk) => void;
}

type Read = (context: ExchangeContext) => unknown;

const READ: Readonly<Record<Dependency, Read>> = {
  'answer.content': ({ answer }) => answer.content,
  'answer.status': ({ answer }) => answer.status,
  'answer.type': ({ answer }) => answer.header['content-type'],
  'answer.location': ({ answer }) => answer.header.location,
  'call.operation': ({ call }) => call.operation,
  'call.method': ({ call }) => call.request.method,
  'call.path': ({ call }) => call.request.path,
  'call.host': ({ call }) => call.header.host,
  'call.product': ({ call }) => call.params.paymentProduct,
};

interface Known {
  readonly rest: readonly unknown[];
  readonly outcome: Outcome;
}

export function createMemory(): Memory {
  const merged = new WeakMap<Verdicts, WeakMap<Verdicts, Verdicts>>();
  return {
    checkOf: (rule) => {
      const check = rule.check as (context: ExchangeContext) => Outcome;
      if (rule.scope !== 'exchange' || rule.dependsOn === undefined) return check;
      const [, ...rest] = rule.dependsOn.map((name) => READ[name]);
      return remembering(check, rest);
    },
    merge: (before, added) => {
      const ofBefore = merged.get(before) ?? new WeakMap<Verdicts, Verdicts>();
      const known = ofBefore.get(added);
      if (known !== undefined) return known;
      const both = { ...before, ...added };
      merged.set(before, ofBefore.set(added, both));
      return both;
    },
  };
}

/** One outcome for each content that comes again, as long as somebody holds it: the newest. */
function remembering(
  check: (context: ExchangeContext) => Outcome,
  rest: readonly Read[],
): (context: ExchangeContext) => Outcome {
  const outcomes = new WeakMap<object, Known>();
  return (context) => {
    const { content } = context.answer;
    if (!isKeptContent(content)) return check(context);
    const known = outcomes.get(content);
    if (known !== undefined && isStill(known, rest, context)) return known.outcome;
    const outcome = check(context);
    outcomes.set(content, { rest: rest.map((read) => read(context)), outcome });
    return outcome;
  };
}

/** A loop, because a function for each look would cost more than the check. */
function isStill({ rest }: Known, reads: readonly Read[], context: ExchangeContext): boolean {
  for (let i = 0; i < reads.length; i++) if (reads[i]?.(context) !== rest[i]) return false;
  return true;
}

/** Verdicts differ little among calls; should they ever not, they are forgotten and begun anew. */
const MOST_OUTCOMES = 500;

interface KnownConnection {
  readonly second: number;
  readonly certificate: Call['certificate'];
  readonly walk: Walk;
}

export function createPlanMemory(): PlanMemory {
  const outcomes = new Map<string, Judged>();
  const connections = new WeakMap<TlsFacts, KnownConnection>();
  // A connection without fault is judged once a second: certificates begin and end with a second.
  const secondOf = ({ at }: Call): number => Math.floor(at / 1000);
  return {
    outcome: (verdicts, make) => {
      const known = outcomes.get(verdicts);
      if (known !== undefined) return known;
      if (outcomes.size >= MOST_OUTCOMES) outcomes.clear();
      const made = make();
      outcomes.set(verdicts, made);
      return made;
    },
    behindConnection: (call) => {
      const { tls } = call.connection;
      const known = typeof tls === 'object' && tls !== null ? connections.get(tls) : undefined;
      const isSame = known?.certificate === call.certificate && known.second === secondOf(call);
      return isSame ? known.walk : undefined;
    },
    rememberConnection: (call, walk) => {
      const { certificate, connection } = call;
      if (typeof connection.tls !== 'object' || connection.tls === null) return;
      connections.set(connection.tls, { second: secondOf(call), certificate, walk });
    },
  };
}
