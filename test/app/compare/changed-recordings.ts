/** Recordings of the built-in emulator, as it answers and as a bank would that changed its answers. */
import { Answer, createIdSource, type Exchange } from '../../../src/exchange/index.js';
import type { RecordedExchange } from '../../../src/store/index.js';
import { startTestGateway } from '../../e2e/harness.js';
import { TO_NOON, walkJourney } from '../rerun/rerun-bank.js';

/** A journey of a consent and a payment, five times over. */
export async function recordJourneys(): Promise<readonly RecordedExchange[]> {
  const gateway = await startTestGateway();
  gateway.move(TO_NOON);
  await walkJourney(gateway);
  const walked = await gateway.records();
  await gateway.close();
  const nextId = createIdSource({ clock: () => gateway.now() });
  return Array.from({ length: 5 }, () =>
    walked.map((record) => {
      const { exchange } = record;
      return { ...record, exchange: { ...exchange, call: exchange.call.with({ id: nextId() }) } };
    }),
  ).flat();
}

export interface ChangedAnswer {
  status: number;
  /** By name in lower case; undefined: left out. */
  headers: Record<string, string | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: tests change bodies by path.
  json: any;
  /** In the place of the body. */
  text?: string;
}

/** `nth`: of the calls of this operation, from 0. */
export type Change = (answer: ChangedAnswer, operation: string, nth: number) => void;

export function changed(records: readonly RecordedExchange[], change: Change): RecordedExchange[] {
  const counts = new Map<string, number>();
  return records.map((record) => {
    const { exchange } = record;
    const { operation } = exchange.call;
    if (operation === null || exchange.answer === null) return record;
    const nth = counts.get(operation) ?? 0;
    counts.set(operation, nth + 1);
    return {
      ...record,
      exchange: { ...exchange, answer: changedAnswer(exchange.answer, change, operation, nth) },
    };
  });
}

function changedAnswer(
  { source, status, header, content, body }: Answer,
  change: Change,
  operation: string,
  nth: number,
): Exchange['answer'] {
  const isJson = content.kind === 'json';
  const made: ChangedAnswer = {
    status,
    headers: { ...header },
    json: isJson ? structuredClone(content.value) : undefined,
  };
  change(made, operation, nth);
  const headers = Object.entries(made.headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  const text = made.text ?? (made.json === undefined ? undefined : JSON.stringify(made.json));
  if (text === undefined) return new Answer(source, made.status, headers, isJson ? null : body);
  return new Answer(source, made.status, headers, { text, size: Buffer.byteLength(text) });
}
