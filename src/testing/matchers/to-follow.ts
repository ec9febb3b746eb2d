/** `expect(gateway).toFollow(['consents.create', …])`: the calls went this way, in this order. */
import { EVERY_OPERATION_ID, type OperationId } from '../../spec/index.js';
import type { SessionExchange } from '../session-types.js';
import { type MatcherResult, openSubject, unknownName } from './subject.js';

const REFUSED = 400;
const MOST_LINES = 40;

/** Other calls may stand between. A call that was refused, or not answered, is no step of the way. */
export function toFollow(received: unknown, operations: readonly OperationId[]): MatcherResult {
  const { exchanges } = openSubject(received, 'toFollow');
  if (!Array.isArray(operations) || operations.length === 0)
    throw new TypeError('toFollow() takes a list of operations, as in toFollow(["consents.create"]).');
  for (const id of operations)
    if (!EVERY_OPERATION_ID.includes(id)) throw unknownName('operation', String(id), EVERY_OPERATION_ID);
  const steps = findSteps(exchanges, operations);
  return {
    pass: steps.length === operations.length,
    message: () => explain(exchanges, operations, steps),
  };
}

/** Positions of the exchanges that are the steps, up to the first one that is missing. */
function findSteps(exchanges: readonly SessionExchange[], operations: readonly OperationId[]): number[] {
  const steps: number[] = [];
  for (const [at, exchange] of exchanges.entries()) {
    if (steps.length === operations.length) break;
    if (exchange.call.operation === operations[steps.length] && succeeded(exchange)) steps.push(at);
  }
  return steps;
}

const succeeded = ({ answer }: SessionExchange): boolean => answer !== null && answer.status < REFUSED;

function explain(
  exchanges: readonly SessionExchange[],
  operations: readonly OperationId[],
  steps: readonly number[],
): string {
  const wanted = operations[steps.length];
  const after = steps.at(-1) ?? -1;
  const lines = exchanges.map((exchange, at) => lineOf(exchange, steps.indexOf(at)));
  const shown = lines.length <= MOST_LINES ? lines : ['…', ...lines.slice(-MOST_LINES)];
  const way = `What was called (› marks the steps that were found):\n${shown.join('\n')}`;
  if (wanted === undefined) return `The calls should not follow ${operations.join(', ')}, but did.\n\n${way}`;
  const previous = operations[steps.length - 1];
  const where = previous === undefined ? '' : ` after ${previous}`;
  return `Step ${steps.length + 1} of ${operations.length} is missing: no successful ${wanted}${where}.${hint(exchanges, wanted, after)}\n\n${way}`;
}

/** Why it may be missing though it was called. */
function hint(exchanges: readonly SessionExchange[], wanted: OperationId, after: number): string {
  const at = exchanges.findIndex(({ call }, index) => index > after && call.operation === wanted);
  const refused = exchanges[at];
  if (refused !== undefined)
    return ` It was called, and ${refused.answer === null ? 'not answered' : `answered with ${refused.answer.status}`}${violated(refused)}.`;
  const earlier = exchanges.some((exchange) => exchange.call.operation === wanted && succeeded(exchange));
  return earlier ? ' It was called before, in another order.' : '';
}

function violated({ findings }: SessionExchange): string {
  const rules = [...new Set(findings.filter(({ judges }) => judges === 'tpp').map(({ rule }) => rule))];
  return rules.length === 0 ? '' : ` (${rules.join(', ')})`;
}

function lineOf({ call, answer }: SessionExchange, step: number): string {
  const { method, path } = call.request;
  return `${step < 0 ? ' ' : '›'} ${call.operation ?? 'unknown'}  ${method} ${path} → ${answer?.status ?? 'no answer'}`;
}
