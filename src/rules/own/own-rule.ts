/** Makes rules for the engine out of those of the user: each is watched, and switched off if it stays broken. */
import { type Call, type Exchange, placeFrom } from '../../exchange/index.js';
import type { Ledger } from '../../ledger/index.js';
import type { OperationId } from '../../spec/index.js';
import { Context, type JudgeSettings } from '../context.js';
import type { CallNeed, ExchangeContext, Need, Outcome, Rule, Violation } from '../rule.js';
import type { OwnExample } from './example.js';
import type { Said } from './said.js';
import { createViewer, type SeenContext } from './seen.js';
import type * as own from './types.js';

/** A rule as its file has it, checked, without its function. */
export interface OwnDefinition extends Pick<own.RuleTexts, 'statement' | 'source' | 'why' | 'fix'> {
  readonly id: string;
  readonly examples: readonly OwnExample[];
  readonly severity: Rule['severity'];
  readonly appliesTo: 'all' | readonly OperationId[];
  readonly file: OwnFile;
}

/** A file of own rules: as the settings name it, with the SHA-256 (hex) of what it holds. */
export interface OwnFile {
  readonly name: string;
  readonly digest: string;
}

/** By who is judged: a bank cannot be judged before it has answered. */
export type OwnScope =
  | { readonly scope: 'call'; readonly judges: 'tpp'; readonly needs: readonly CallNeed[] }
  | { readonly scope: 'exchange'; readonly judges: 'tpp' | 'aspsp'; readonly needs: readonly Need[] };

/** Asks a rule by its number; null: nobody looked at this call. */
export type AskOwn = (rule: number, see: () => own.SeenExchange, call: Call) => Said | null;

/** Own rules that were loaded. They are loaded by the settings alone, never by what a recording notes. */
export interface OwnRules {
  readonly rules: readonly Rule[];
  /** Has rules asked that another thread runs, before a call is judged and after it is answered; undefined: nothing to wait for. */
  readonly askAhead:
    | ((context: ExchangeContext, scope: OwnScope['scope']) => Promise<void> | undefined)
    | null;
  readonly close: () => void;
}

/** A rule that was broken so often in a row is not asked any more. */
const MOST_BROKEN = 5;

export function createOwnRules(
  definitions: readonly (OwnDefinition & OwnScope)[],
  ask: AskOwn,
  onOff: (line: string) => void,
) {
  const view = createViewer();
  const broken = definitions.map(() => 0);
  const isOff = (rule: number): boolean => (broken[rule] ?? 0) >= MOST_BROKEN;
  const judge = (id: string, rule: number, context: SeenContext): Outcome => {
    if (isOff(rule)) return 'not-observed';
    const said = ask(rule, () => view(context), context.call);
    if (said === null) return 'not-observed';
    if (!('broken' in said)) {
      broken[rule] = 0;
      return typeof said.outcome === 'object' ? said.outcome.map(violationOf) : said.outcome;
    }
    broken[rule] = (broken[rule] ?? 0) + 1;
    if (isOff(rule))
      onOff(`${id} was broken ${MOST_BROKEN} times in a row and is not asked any more: ${said.broken}.`);
    return { place: 'rule', expected: 'a verdict', actual: `rule broken: ${said.broken}`, atMost: 'note' };
  };
  const rules = definitions.map((definition, rule): Rule => {
    const { id, statement, source, severity, appliesTo, why, fix, file, examples: given } = definition;
    const says = (verdict: own.Verdict) => given.find((one) => one.verdict === verdict)?.says ?? '';
    const examples = { complies: says('complied'), violates: says('violated') };
    const own = { file, source };
    const base = {
      ...{ id, statement, severity, appliesTo, why, fix, examples, own },
      ...{ clauses: [], sources: [] },
    };
    if (definition.scope === 'exchange') {
      const { scope, judges, needs } = definition;
      return { ...base, scope, judges, needs, refusal: null, check: (context) => judge(id, rule, context) };
    }
    const { scope, judges, needs } = definition;
    const refusal = { code: 'FORMAT_ERROR' } as const;
    return { ...base, scope, judges, needs, refusal, check: (context) => judge(id, rule, context) };
  });
  return { rules, isOff, view };
}

const violationOf = ({ place, ...rest }: own.Violation): Violation => ({ place: placeFrom(place), ...rest });

/** The context of a call that is about to be judged. */
export const contextOf = (exchange: Exchange, ledger: Ledger, settings: JudgeSettings): ExchangeContext =>
  new Context(exchange, ledger, settings);
