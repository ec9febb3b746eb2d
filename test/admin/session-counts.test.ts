/** Counts of a session: what is told, and what an index knows of the time before. */
import { describe, expect, it } from 'vitest';
import type { LivePort } from '../../src/admin/live/port.js';
import { namesOf } from '../../src/admin/live/session-counts.js';
import { createFigures, seenOf } from '../../src/admin/live/session-view.js';
import { matches, type RecordedExchange } from '../../src/store/index.js';
import { recordSource } from '../store/stores.js';

const next = recordSource();
const found = (severity: string, waived?: object): RecordedExchange => {
  const finding = { rule: 'requests/request-id-present', severity, judges: 'tpp', place: 'path', waived };
  return { ...next(), findings: [finding] } as unknown as RecordedExchange;
};
const refused = (severity: string): RecordedExchange => {
  const record = found(severity);
  const exchange = { ...record.exchange, answer: { ...record.exchange.answer, status: 403 } };
  return { ...record, exchange } as RecordedExchange;
};
const failed = (kind: string): RecordedExchange => {
  const record = next();
  return {
    ...record,
    exchange: { ...record.exchange, fault: { kind, message: 'It failed.' } },
  } as RecordedExchange;
};

/** The newest first, of which an index knows those before the first one; null: it knows none. */
const portOf = (records: readonly RecordedExchange[], known: 'all' | null) => {
  let asked = 0;
  const past: LivePort['past'] = async (_session, before, trees) => {
    asked += 1;
    const from = records.findIndex(({ exchange }) => exchange.call.id === before) + 1;
    const counts = trees.map((tree) => records.slice(from).filter(matches(tree)).length);
    return known === null ? null : { counts, timeline: { width: 1_000, slots: [] } };
  };
  const sessions = async () => [{ name: 'test', exchanges: records.length }];
  const port = { past, store: { sessions }, unfinished: async () => ['A', 'B'] } as unknown as LivePort;
  return { port, asked: () => asked };
};
const shown = async (figures: ReturnType<typeof createFigures>, port: LivePort) => {
  const { counts, ...rest } = await figures.counts('test', port);
  return { ...rest, ...Object.fromEntries(counts.map(({ name, count }) => [name, count])) };
};

describe('counts of a session', () => {
  it.each([
    ['must', found('must'), ['must']],
    ['a waived must', found('must', { reason: 'known', until: '2099-01-01' }), []],
    ['should', found('should'), ['should']],
    ['note', found('note'), []],
    ['a failure of transport', failed('timeout'), ['failed']],
    ['a failed handshake', failed('handshake'), ['handshake']],
    ['a refusal that no rule explains', refused('note'), ['refused']],
    ['a refusal that a rule explains', refused('must'), ['must']],
    ['nothing', next(), []],
  ])('have %s where it belongs', (_, record, names) => {
    expect(namesOf(record)).toEqual(names);
  });

  const older = [found('must'), found('must'), failed('handshake'), found('must'), found('should')];
  const first = next();
  const records = [first, ...older];
  const begun = () => {
    const figures = createFigures();
    figures.count(seenOf(found('must')));
    figures.beginAt({ exchange: first.exchange.call.id, at: first.exchange.call.at });
    return figures;
  };

  it('have what was before all that was read, by the index, which is asked once', async () => {
    const { port, asked } = portOf(records, 'all');
    const figures = begun();
    const counts = { must: 4, should: 1, refused: 0, failed: 0, handshake: 1, injected: 0, unfinished: 2 };
    // The strip of time asks at the same time.
    const [told] = await Promise.all([shown(figures, port), figures.timeline('test', port)]);
    expect(told).toEqual({ exchanges: 6, since: null, ...counts });
    expect(await shown(figures, port)).toMatchObject(counts);
    expect(asked()).toBe(1);
  });

  it('say since when they count where no index knows what was before, and count all once one does', async () => {
    const figures = begun();
    const since = new Date(first.exchange.call.at).toISOString();
    expect(await shown(figures, portOf(records, null).port)).toMatchObject({ since, must: 1 });
    expect(await shown(figures, portOf(records, 'all').port)).toMatchObject({ since: null, must: 4 });
  });
});
