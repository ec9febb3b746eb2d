/** Events under bad circumstances: slow readers, floods, a failing store; and nothing at all while nobody follows. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Sink } from '../../src/admin/live/clients.js';
import { createEvents } from '../../src/admin/live/events.js';
import { createFeed } from '../../src/admin/live/feed.js';
import type { LivePort } from '../../src/admin/live/port.js';
import { createViews } from '../../src/admin/live/views.js';
import { createBankState } from '../../src/bank/index.js';
import { closeCall } from '../../src/exchange/index.js';
import { createLedger, openDailyWindow } from '../../src/ledger/index.js';
import { DAY_MS, dialectOf } from '../../src/spec/index.js';
import { openLookup, type RecordedExchange } from '../../src/store/index.js';
import { aConsent } from '../bank/a-bank.js';
import { fingerprint, NOW } from '../builders.js';
import { append, aStore, recordSource } from '../store/stores.js';

interface TestSink extends Sink {
  readonly texts: string[];
  behind: number;
  state: 'open' | 'ended' | 'dropped';
}

function aSink(): TestSink {
  const sink: TestSink = {
    ...{ texts: [], behind: 0, state: 'open' },
    write: (text) => void sink.texts.push(text),
    waiting: () => sink.behind,
    end: () => {
      sink.state = 'ended';
    },
    drop: () => {
      sink.state = 'dropped';
    },
  };
  return sink;
}

function live() {
  const store = aStore({ path: ':memory:' });
  const feed = createFeed();
  const due = new Set<() => void>();
  const alarms = new Map<() => void, number>();
  const counts = { looked: 0 };
  let now = NOW;
  let stopwatch = 0;
  let machine = NOW;
  let problem: string | null = null;
  const ledger = createLedger();
  const bank = createBankState();
  const port: LivePort = {
    ...openLookup(store, null),
    ownRules: () => [],
    ...{ store, feed, fingerprint, session: () => 'test', stopwatch: () => stopwatch },
    clock: () => machine,
    ledgerOf: () => {
      counts.looked += 1;
      return ledger;
    },
    ...{
      isShared: false,
      bankOf: () => bank,
      now: () => now,
      mending: () => ({ dialect: dialectOf(), now, consent: undefined, uuid: () => '', fillsTokens: false }),
      window: () => openDailyWindow({ kind: 'rolling' }),
    },
    unrecordedIn: () => null,
    ...{ storeProblem: () => problem, ownCertificates: () => [], files: async () => [] },
    factsOf: async () => undefined,
    judgedBy: () => ({ profile: 'production', blockedOrganisations: new Set() }),
    at: (_session, time, run) => {
      alarms.set(run, time);
      return () => void alarms.delete(run);
    },
    after: (_ms, run) => {
      due.add(run);
      return () => void due.delete(run);
    },
  };
  const views = createViews(port);
  const events = createEvents(port, views, async () => ({ session: 'test' }));
  const next = recordSource();
  return {
    ...{ port, feed, views, events, counts, due },
    /** Kept as the recorder does it. */
    keep: (...records: readonly RecordedExchange[]) => {
      append(store, ...records);
      feed.kept({ records, changes: [], notes: [] });
    },
    record: () => next({ call: { operation: 'consents.read' } }),
    bank,
    /** As the clock of the world does it. */
    moveTo: (time: number) => {
      now = time;
      for (const [run, at] of [...alarms]) if (at <= now && alarms.delete(run)) run();
    },
    fail: (text: string | null) => {
      problem = text;
      feed.stir();
    },
    /** As the machine's time goes on. */
    pass: (ms: number) => {
      stopwatch += ms;
      machine += ms;
    },
    /** Runs what is due, and lets what follows from it happen. */
    tick: async () => {
      for (let round = 0; round < 3; round++) {
        await feed.idle();
        for (let i = 0; i < 5; i++) await setImmediate();
        for (const run of [...due]) {
          due.delete(run);
          run();
        }
      }
      for (let i = 0; i < 5; i++) await setImmediate();
    },
  };
}
const ALL = { session: undefined, fits: () => true, isFiltered: false, after: undefined, most: 0 };
const told = ({ texts }: TestSink, event: string) =>
  [...texts.join('').matchAll(new RegExp(`event: ${event}\\ndata: (.*)$`, 'gm'))].map(([, data = '']) =>
    JSON.parse(data),
  );
const idsIn = ({ texts }: TestSink) => [...texts.join('').matchAll(/^id: (\S+)$/gm)].map(([, id]) => id);

describe('events', () => {
  it('cost a call nothing while nobody follows', async () => {
    const { keep, record, counts, due } = live();
    keep(record(), record());
    await setImmediate();
    expect([counts.looked, due.size]).toEqual([0, 0]);
  });

  it('are forgotten when the last one leaves: nothing is computed, nothing is due', async () => {
    const { keep, record, counts, due, events, tick, views } = live();
    const leave = events.open(ALL, aSink(), () => {});
    keep(record());
    await tick();
    leave?.();
    views.close();
    const { looked } = counts;
    keep(record());
    await tick();
    expect([counts.looked, due.size]).toEqual([looked, 0]);
  });

  it('are written once for all, in the order of recording, each once', async () => {
    const { keep, record, events, tick } = live();
    const sinks = Array.from({ length: 10 }, aSink);
    for (const sink of sinks) events.open(ALL, sink, () => {});
    await tick();
    const records = Array.from({ length: 450 }, record);
    keep(...records.slice(0, 300));
    keep(...records.slice(300));
    await tick();
    for (const sink of sinks) expect(idsIn(sink)).toEqual(records.map(({ exchange }) => exchange.call.id));
  });

  it('cut a slow reader off, and go on for the others', async () => {
    const { keep, record, events, tick } = live();
    const [slow, quick] = [aSink(), aSink()];
    for (const sink of [slow, quick]) events.open(ALL, sink, () => {});
    await tick();
    slow.behind = 5_000_000;
    keep(record());
    await tick();
    keep(record());
    await tick();
    expect([slow.state, quick.state]).toEqual(['dropped', 'open']);
    expect(idsIn(quick)).toHaveLength(2);
  });

  it('of a flood cut all off: nothing fills the memory, and all of it is in the store', async () => {
    const { record, events, tick, keep } = live();
    const sink = aSink();
    events.open(ALL, sink, () => {});
    await tick();
    for (let i = 0; i < 60; i++) keep(...Array.from({ length: 100 }, record));
    expect(sink.state).toBe('dropped');
  });

  it('that were missed in thousands are not told again, but that the list is to be loaded anew', async () => {
    const { keep, record, events, tick } = live();
    const first = record();
    keep(first, ...Array.from({ length: 1_001 }, record));
    const sink = aSink();
    events.open({ ...ALL, after: first.exchange.call.id }, sink, () => {});
    for (let i = 0; i < 5; i++) await tick();
    expect(idsIn(sink)).toEqual([]);
    expect(sink.texts.join('')).toContain('"kind":"missed"');
  });

  it('tell an exchange once that is kept while one who comes back is told what it missed', async () => {
    const { port, keep, record, events, tick } = live();
    const [first, second, third] = [record(), record(), record()];
    keep(first);
    const { read } = port.store;
    /** It is kept just before it is read. */
    const readLater: typeof read = async function* (session, options) {
      const isMissed = options?.after !== undefined;
      if (isMissed) keep(second);
      await setImmediate();
      yield* read(session, options);
      if (isMissed) keep(third);
      await setImmediate();
    };
    const sink = aSink();
    Object.assign(port.store, { read: readLater });
    events.open({ ...ALL, after: first.exchange.call.id }, sink, () => {});
    await tick();
    expect(idsIn(sink)).toEqual([second, third].map(({ exchange }) => exchange.call.id));
  });

  it('tell that the store fails, and that it works again', async () => {
    const { fail, events, tick } = live();
    const sink = aSink();
    events.open(ALL, sink, () => {});
    await tick();
    fail('The disk is full.');
    await tick();
    fail(null);
    await tick();
    const alerts = sink.texts
      .join('')
      .split('\n')
      .filter((line) => line.includes('"kind":"store"'))
      .map((line) => JSON.parse(line.slice('data: '.length)));
    expect(alerts.map(({ state, text }) => [state, text])).toEqual([
      ['raised', 'The disk is full.'],
      ['cleared', 'The disk is full.'],
    ]);
  });

  it('tell of a rule that was violated until that is ten minutes ago by the machine, though nothing else happens', async () => {
    const { keep, events, tick, pass, record } = live();
    const sink = aSink();
    events.open(ALL, sink, () => {});
    const rule = 'requests/request-id-present';
    const findings = [{ rule, severity: 'must', judges: 'tpp', place: 'header X-Request-ID' }];
    keep({ ...record(), findings } as unknown as RecordedExchange);
    await tick();
    pass(601_000);
    await tick();
    await tick();
    expect(told(sink, 'alert').map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'finding raised',
      'finding cleared',
    ]);
  });

  it.each([
    ['an hour ago', 3_590_000, false],
    ['ten minutes ago, if its peer has connected since', 590_000, true],
  ] as const)('tell of a failed handshake until it is %s', async (_, before, comesBack) => {
    const { keep, events, tick, pass, record } = live();
    const sink = aSink();
    events.open(ALL, sink, () => {});
    const { exchange } = record();
    const fault = { kind: 'handshake', message: 'The TLS handshake failed.' } as const;
    keep({ ...record(), exchange: closeCall(exchange.call, null, { total: 0, answerer: 0 }, fault) });
    if (comesBack) keep(record());
    await tick();
    const states = () => told(sink, 'alert').map(({ kind, state }) => `${kind} ${state}`);
    pass(before);
    await tick();
    await tick();
    expect(states()).toEqual(['handshake raised']);
    pass(11_000);
    await tick();
    await tick();
    expect(states()).toEqual(['handshake raised', 'handshake cleared']);
  });

  it('of journeys go on after a moment at which the store could not be read', async () => {
    const { port, keep, events, tick } = live();
    const { read } = port.store;
    let fails = true;
    const readOrFail: typeof read = (...args) => {
      if (fails) throw new Error('The disk is away.');
      return read(...args);
    };
    Object.assign(port.store, { read: readOrFail });
    const next = recordSource();
    const params = { consentId: 'c0ffee00-0000-4000-8000-000000000002' };
    const sink = aSink();
    events.open(ALL, sink, () => {});
    await tick();
    fails = false;
    for (let i = 0; i < 2; i++) {
      keep(next({ call: { operation: 'consents.read', params } }));
      await tick();
    }
    expect(sink.texts.join('')).toContain('event: journey');
  });

  it('tell of a consent and a token that end by time alone, when the time has come', async () => {
    const { keep, events, tick, bank, moveTo } = live();
    const consent = 'c0ffee00-0000-4000-8000-000000000001';
    const validUntil = new Date(NOW + DAY_MS).toISOString().slice(0, 10);
    bank.bankConsents.put(consent, aConsent({ id: consent, validUntil, scaAt: NOW }));
    keep(
      recordSource()({
        call: { operation: 'consents.read', params: { consentId: consent } },
      }),
    );
    const sink = aSink();
    events.open(ALL, sink, () => {});
    await tick();
    const journeys = () => told(sink, 'journey');
    expect(journeys()).toEqual([]);
    moveTo(NOW + DAY_MS);
    await tick();
    expect(journeys()).toEqual([]);
    moveTo(Date.parse(validUntil) + DAY_MS);
    await tick();
    expect(journeys()).toMatchObject([{ resource: consent, status: 'expired', ended: true }]);
  });

  it('look at those journeys alone that the time changes, however fast it goes', async () => {
    const { keep, events, tick, bank, moveTo } = live();
    const MANY = 100;
    const next = recordSource();
    const idOf = (i: number) => `c0ffee00-0000-4000-8000-${String(i).padStart(12, '0')}`;
    const dayOf = (i: number) => new Date(NOW + i * DAY_MS).toISOString().slice(0, 10);
    for (let i = 0; i < MANY; i++) {
      bank.bankConsents.put(idOf(i), aConsent({ id: idOf(i), validUntil: dayOf(i), scaAt: NOW }));
      keep(next({ call: { operation: 'consents.read', params: { consentId: idOf(i) } } }));
    }
    const sink = aSink();
    events.open(ALL, sink, () => {});
    for (let i = 0; i < 3; i++) await tick();
    let looked = 0;
    const { get } = bank.bankConsents;
    bank.bankConsents.get = (id) => {
      looked += 1;
      return get.call(bank.bankConsents, id);
    };
    for (let i = 0; i < MANY; i++) {
      moveTo(Date.parse(dayOf(i)) + DAY_MS);
      await tick();
    }
    const ended = told(sink, 'journey').filter((one) => one.ended);
    expect(ended.map(({ resource }) => resource)).toEqual(Array.from({ length: MANY }, (_, i) => idOf(i)));
    expect(looked).toBeLessThan(10 * MANY);
  });

  it('keep a quiet connection alive', async () => {
    const { events, tick } = live();
    const sink = aSink();
    events.open(ALL, sink, () => {});
    await tick();
    expect(sink.texts).toContain(':\n\n');
    events.close();
    expect(sink.state).toBe('ended');
  });
});

describe('events of which somebody does not want more than so many a second', () => {
  const MOST = 20;
  function followed() {
    const one = live();
    const [all, some] = [aSink(), aSink()];
    one.events.open(ALL, all, () => {});
    one.events.open({ ...ALL, most: MOST }, some, () => {});
    const records = (count: number) => Array.from({ length: count }, one.record);
    const missed = () => told(some, 'alert').filter(({ kind }) => kind === 'missed');
    return { ...one, all, some, records, missed };
  }
  const ids = (records: readonly RecordedExchange[]) => records.map(({ exchange }) => exchange.call.id);

  it('are all told, each by its id, while no more come', async () => {
    const { keep, tick, pass, records, some, missed } = followed();
    await tick();
    const kept: RecordedExchange[] = [];
    for (let second = 0; second < 5; second++) {
      const more = records(MOST);
      keep(...more);
      kept.push(...more);
      await tick();
      pass(1_000);
    }
    expect([idsIn(some), missed()]).toEqual([ids(kept), []]);
  });

  it('are left out but for the newest where more come, and counted with errors and musts; others are told all', async () => {
    const { keep, tick, pass, records, some, all, missed } = followed();
    await tick();
    const [first, rest] = [records(MOST), records(100)];
    keep(...first);
    await tick();
    const next = recordSource('test', NOW + 60_000);
    const [found, waived] = [undefined, { reason: '', until: '' }].map((one) => ({
      ...{ rule: 'requests/request-id-present', severity: 'must', judges: 'tpp', place: 'header' },
      ...{ expected: 'a UUID', actual: null, waived: one },
    })) as unknown as RecordedExchange['findings'];
    const bad = { ...next({ answer: { status: 400 } }), findings: [found, waived, found] };
    keep(...rest.slice(0, 60), bad as RecordedExchange, ...rest.slice(60));
    pass(500);
    await tick();
    expect(idsIn(some)).toEqual(ids(first));
    expect(
      told(some, 'exchange')
        .slice(MOST)
        .map(({ id }) => id),
    ).toEqual(ids(rest.slice(-10)));
    const [raised] = missed();
    expect(raised).toMatchObject({
      ...{ state: 'raised', count: 101, leftOut: { exchanges: 101, errors: 1, musts: 2 } },
      text: '121 calls a second: only the newest are shown.',
    });
    expect(idsIn(all)).toHaveLength(121);
  });

  it('are all told again once a whole second has clearly less, and it is said from when on', async () => {
    const { keep, tick, pass, records, some, missed } = followed();
    await tick();
    for (const count of [50, MOST - 1, MOST - 1, 2]) {
      keep(...records(count));
      await tick();
      pass(1_000);
      await tick();
    }
    expect(missed().at(-1)).toMatchObject({ state: 'cleared' });
    expect(idsIn(some)).toEqual([]);
    const sum = missed().reduce((total, { leftOut }) => total + leftOut.exchanges, 0);
    expect([sum, missed().at(-1).count]).toEqual([50 + MOST - 1 + MOST - 1 + 2, sum]);
    const last = records(3);
    keep(...last);
    await tick();
    expect(idsIn(some)).toEqual(ids(last));
    expect(missed().filter(({ state }) => state === 'cleared')).toHaveLength(1);
  });

  it('begin with nothing being over that never was', async () => {
    const { tick, some, pass } = followed();
    await tick();
    pass(1_000);
    await tick();
    expect(some.texts.join('')).not.toContain('event: alert');
  });

  it('are said to be matching ones where somebody wants some of all calls', async () => {
    const { keep, tick, records, events } = followed();
    const sink = aSink();
    events.open({ ...ALL, most: MOST, isFiltered: true }, sink, () => {});
    await tick();
    keep(...records(MOST + 1));
    await tick();
    expect(told(sink, 'alert')[0].text).toBe('21 matching calls a second: only the newest are shown.');
  });

  it('begin with how it stands: who comes back knows that nothing was left out meanwhile', async () => {
    const { keep, tick, records, events } = followed();
    const [first, second] = records(2) as [RecordedExchange, RecordedExchange];
    keep(first, second);
    await tick();
    const sink = aSink();
    events.open({ ...ALL, most: MOST, after: first.exchange.call.id }, sink, () => {});
    await tick();
    expect(idsIn(sink)).toEqual(ids([second]));
    expect(told(sink, 'alert')).toMatchObject([{ kind: 'missed', state: 'cleared', count: 0 }]);
  });

  it('are told or counted, not both, where more come while one who comes back is told what it missed', async () => {
    const { port, keep, tick, pass, records, events } = followed();
    const [first, ...rest] = records(61) as [RecordedExchange, ...RecordedExchange[]];
    keep(first);
    await tick();
    const { read } = port.store;
    /** It is kept, and told, just before it is read. */
    const readLater: typeof read = async function* (session, options) {
      if (options?.after !== undefined) {
        keep(...rest);
        await tick();
      }
      yield* read(session, options);
    };
    Object.assign(port.store, { read: readLater });
    const sink = aSink();
    events.open({ ...ALL, most: MOST, after: first.exchange.call.id }, sink, () => {});
    for (let second = 0; second < 3; second++) {
      await tick();
      pass(1_000);
    }
    await tick();
    const missed = told(sink, 'alert').filter(({ kind }) => kind === 'missed');
    const counted = missed.reduce((sum, { leftOut }) => sum + (leftOut?.exchanges ?? 0), 0);
    expect([idsIn(sink), counted]).toEqual([[], rest.length]);
    expect(missed.at(-1)).toMatchObject({ state: 'cleared' });
  });

  it('begin with what was missed where that is too much, until a second has passed', async () => {
    const { keep, tick, pass, records, events, due } = followed();
    const [first, ...rest] = records(1_002);
    keep(first as RecordedExchange, ...rest);
    const sink = aSink();
    await tick();
    events.open({ ...ALL, most: MOST, after: first?.exchange.call.id }, sink, () => {});
    for (let i = 0; i < 5; i++) await tick();
    pass(1_000);
    await tick();
    const states = told(sink, 'alert').map(({ kind, state }) => `${kind} ${state}`);
    expect(states).toEqual(['missed raised', 'missed cleared']);
    events.close();
    expect(due.size).toBe(0);
  });
});

describe('the view of a session under a load of which not every call is looked at', () => {
  /** Followed, with a store that is read as slowly as the test says. */
  async function followed() {
    const one = live();
    const sink = aSink();
    const next = recordSource();
    const headers = { 'Consent-ID': 'VALID_CONSENT_ID', 'PSU-IP-Address': '192.0.2.1' };
    const finding = {
      ...{ rule: 'requests/request-id-present', severity: 'must', judges: 'tpp', place: 'header' },
      ...{ expected: 'a UUID', actual: null },
    };
    const reads: (() => void)[] = [];
    let isSlow = false;
    const { read } = one.port.store;
    const readSlowly: typeof read = async function* (session, options) {
      if (isSlow) await new Promise<void>((resolve) => reads.push(resolve));
      yield* read(session, options);
    };
    Object.assign(one.port.store, { read: readSlowly });
    const view = () => one.views.of('test');
    const journeys = () => told(sink, 'journey');
    return {
      ...{ ...one, sink, reads, view, journeys },
      follow: () => one.events.open({ ...ALL, most: 20 }, sink, () => {}),
      slow: () => {
        isSlow = true;
      },
      /** More than is looked at, each with a finding. */
      flood: async () => {
        for (let i = 0; i < 10; i++)
          one.keep(
            ...Array.from({ length: 300 }, () => ({
              ...next({ call: { operation: 'accounts.list', headers } }),
              findings: [finding] as unknown as RecordedExchange['findings'],
            })),
          );
        await one.feed.idle();
        await one.tick();
      },
      quieten: async () => {
        for (let second = 0; second < 2; second++) {
          one.pass(1_000);
          await one.tick();
        }
        for (let i = 0; i < 60; i++) await one.tick();
      },
      counts: async () => [...(await view()).journeys.all()].map(({ runs }) => runs[0]?.count),
    };
  }

  it('has whole journeys when it is quieter, which are told then, and says so until then', async () => {
    const { follow, tick, flood, quieten, counts, journeys } = await followed();
    follow();
    await tick();
    await flood();
    expect((await counts())[0]).toBeLessThan(3_000);
    expect(journeys().at(-1).isPartial).toBe(true);
    await quieten();
    expect(await counts()).toEqual([3_000]);
    expect(journeys().at(-1).steps[0].count).toBe(3_000);
    expect(journeys().at(-1).isPartial).toBeUndefined();
  });

  it('has figures of all calls at any time', async () => {
    const { follow, tick, flood, quieten, view } = await followed();
    follow();
    await tick();
    const figures = async () => {
      const { rules, certificates } = await view();
      return [...rules.values(), ...certificates.values()].map((one) =>
        'count' in one ? one.count : one.exchanges,
      );
    };
    await flood();
    expect(await figures()).toEqual([3_000, 3_000]);
    for (let i = 0; i < 3; i++) await flood();
    expect(await figures()).toEqual([12_000, 12_000]);
    await quieten();
    expect(await figures()).toEqual([12_000, 12_000]);
  });

  it('is read once at a time, and answers whoever asks meanwhile', async () => {
    const { follow, slow, flood, quieten, reads, view, counts, tick } = await followed();
    slow();
    const asked = view();
    follow();
    await flood();
    await quieten();
    expect(reads).toHaveLength(1);
    const readAll = async () => {
      for (let read = reads.shift(); read !== undefined; read = reads.shift()) {
        read();
        for (let i = 0; i < 60; i++) await tick();
      }
    };
    await readAll();
    await asked;
    expect(await counts()).toEqual([3_000]);
    await flood();
    await quieten();
    await flood();
    await quieten();
    expect(reads).toHaveLength(1);
    await readAll();
    expect(await counts()).toEqual([9_000]);
  });
});
