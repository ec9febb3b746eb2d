/** Proposes what recordings show of a bank: built on findings, so that there is one judge. Nothing is taken over by itself. */
import { memberOf, membersOf } from '../../exchange/index.js';
import { type Dialect, type OperationId, operationRow, WIRE_ERRORS } from '../../spec/index.js';
import type { RecordedExchange } from '../../store/index.js';
import { ofFindings, type Sight } from './learn-findings.js';
import { slug } from './learn-paths.js';
import type { Proposal } from './proposal.js';

/** A proposal while it is counted. */
interface Sighting extends Sight {
  readonly sample: string | null;
  readonly operations: Set<OperationId>;
  readonly exchanges: Set<string>;
}

const MOST_PROPOSALS = 500;

/** Takes judged exchanges, redacted, and gives proposals beyond the profile that they were judged by. */
export function createLearner(dialect: Dialect) {
  const sightings = new Map<string, Sighting>();
  const counted = new Map<string, number>();
  const count = (key: string): void => void counted.set(key, (counted.get(key) ?? 0) + 1);
  const note = (one: Sight, operation: OperationId, exchange: string): void => {
    const before = sightings.get(one.id);
    if (before === undefined && sightings.size >= MOST_PROPOSALS) return;
    const known = before ?? { sample: null, ...one, operations: new Set(), exchanges: new Set() };
    sightings.set(one.id, known);
    known.operations.add(operation);
    known.exchanges.add(exchange);
  };
  return {
    take(record: RecordedExchange): void {
      const { operation, id } = record.exchange.call;
      if (operation === null) return;
      count(operation);
      for (const [rule, verdict] of Object.entries(record.verdicts))
        if (verdict !== 'not-observed') count(`${rule} ${operation}`);
      for (const sight of [
        ...ofFindings(record, operation, dialect),
        ...ofAnswer(record, operation, dialect),
      ])
        note(sight, operation, id);
    },
    proposals: (): Proposal[] =>
      [...sightings.values()].map(({ counts, operations, exchanges, changeFor, ...one }) => {
        const where = [...operations].sort();
        const keys = where.map((id) => `${counts} ${id}`.trim());
        const of = keys.reduce((sum, key) => sum + (counted.get(key) ?? 0), 0);
        return { ...one, seen: exchanges.size, of, operations: where, change: changeFor(where) };
      }),
  };
}

const MOST_MESSAGES = 20;
/** Links of Berlin Group 1.3. */
const STANDARD_LINKS =
  /^(?:sca\w+|start\w+|update\w+|selectAuthenticationMethod|authoriseTransaction|confirmation|self|status|account|balances|transactions|transactionDetails|cardAccount|cardTransactions|card|first|next|previous|last|download|ondemand)$/;

/** Error codes and link names that the standard does not have, and that no rule forbids. */
function* ofAnswer(
  { exchange: { answer } }: RecordedExchange,
  operation: OperationId,
  dialect: Dialect,
): Generator<Sight> {
  if (answer === null || operationRow(operation).listener !== 'api') return;
  const messages = answer.content.kind === 'json' ? memberOf(answer.content.value, 'tppMessages') : [];
  for (const message of Array.isArray(messages) ? messages.slice(0, MOST_MESSAGES) : []) {
    const code = memberOf(message, 'code');
    if (typeof code !== 'string' || !/^[A-Z0-9_]{1,70}$/.test(code) || answer.status < 400) continue;
    if (Object.hasOwn(WIRE_ERRORS, code) || dialect.statusesOf(code) !== undefined) continue;
    yield {
      id: `code-${slug(code)}-${answer.status}`,
      part: 'codes',
      counts: '',
      says: `An error ${answer.status} may have the code ${code}.`,
      changeFor: () => ({ codes: { [code]: [answer.status] } }),
    };
  }
  for (const name of new Set(membersOf(answer).links.map((link) => link.name)))
    if (!STANDARD_LINKS.test(name) && !dialect.isFurtherLink(name) && /^[\w-]{1,60}$/.test(name))
      yield {
        id: `link-${slug(name)}`,
        part: 'links',
        counts: '',
        says: `Answers have the link ${name}.`,
        changeFor: () => ({ links: [name] }),
      };
}
