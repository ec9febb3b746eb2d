/** Counts of a session: what is told, and what an index knows of the time before. */
import { describe, expect, it } from 'vitest';
import { createSessionCounts, namesOf } from '../../src/admin/live/session-counts.js';
import { matches, type RecordedExchange } from '../../src/store/index.js';
import { recordSource } from '../store/stores.js';

type Port = Parameters<ReturnType<typeof createSessionCounts>['show']>[1];

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

/** The newest first, as an index finds them, of which `behind` are not known to it; null: there is none. */
const portOf = (records: readonly RecordedExchange[], behind: number | null) => {
  let searches = 0;
  const search: Port['search'] = async (_session, tree, { before, limit }) => {
    searches += 1;
    const from = records.findIndex(({ exchange }) => exchange.call.id === before) + 1;
    const exchanges = records
      .slice(from)
      .filter(matches(tree))
      .map(({ exchange }) => exchange.call.id);
    const next = exchanges.length > 2 ? (exchanges[1] ?? null) : null;
    const known = behind === null ? null : 'any';
    const page = limit === 0 ? [] : exchanges.slice(0, 2);
    return { exchanges: page, unfinished: [], examined: 0, next, indexedUpTo: known, behind };
  };
  const sessions = async () => [{ name: 'test', exchanges: records.length }];
  const port = { search, store: { sessions }, unfinished: async () => ['A', 'B'] } as unknown as Port;
  return { port, searches: () => searches };
};
const shown = async (tally: ReturnType<typeof createSessionCounts>, port: Port) => {
  const { counts, ...rest } = await tally.show('test', port);
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
    const tally = createSessionCounts(10);
    tally.take(['must']);
    tally.beginAt({ exchange: first.exchange.call.id, at: first.exchange.call.at });
    return tally;
  };

  it('have what was before all that was read, by the index, which is asked once', async () => {
    const { port, searches } = portOf(records, 3);
    const tally = begun();
    const counts = { must: 4, should: 1, refused: 0, failed: 0, handshake: 1, injected: 0, unfinished: 2 };
    expect(await shown(tally, port)).toEqual({ exchanges: 6, since: null, ...counts });
    const asked = searches();
    expect(await shown(tally, port)).toMatchObject(counts);
    expect(searches()).toBe(asked);
  });

  it.each([
    ['there is no index', null],
    ['the index is far behind', 10],
  ])('say since when they count where %s, and count all once it is there', async (_, behind) => {
    const tally = begun();
    const since = new Date(first.exchange.call.at).toISOString();
    expect(await shown(tally, portOf(records, behind).port)).toMatchObject({ since, must: 1 });
    expect(await shown(tally, portOf(records, 9).port)).toMatchObject({ since: null, must: 4 });
  });
});
