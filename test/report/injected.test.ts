/** Injected faults in reports: named in the head, marked on exchanges, left out of figures. */
import { describe, expect, it } from 'vitest';
import type { Injection } from '../../src/exchange/index.js';
import { injection } from '../../src/exchange/recording/record-schema.js';
import { injectedNotes } from '../../src/report/build/injected.js';
import { renderReport, renderTicket } from '../../src/report/index.js';
import type { LocalStore } from '../../src/store/index.js';
import { noteIn } from '../../src/store/index.js';
import { NOW } from '../builders.js';
import { aStore } from '../store/stores.js';
import { record, reportOf, type Sent, VALID } from './a-recording.js';

const call = { operation: 'accounts.list' } as const;
const by = (injected: Partial<Injection>): Pick<Sent, 'with'> => ({
  with: { injected: { fault: 'slow-balances', kind: 'transport/delay', ...injected } },
});
const SENT: readonly Sent[] = [
  { call, answer: { body: { accounts: [] } }, ...by({ ms: 9_000 }) },
  { call, answer: { status: 503, source: 'gateway' }, ...by({ kind: 'answer/status', did: null }) },
  { call, answer: { status: 504, source: 'gateway' }, ...by({ kind: 'done/status-after', did: 200 }) },
  { call, answer: null, ...by({ kind: 'done/lost', did: 200, end: 'head' }) },
];

async function reported() {
  const store = aStore({ path: ':memory:' });
  const local = store as LocalStore;
  const recorded = record(local, SENT);
  const faults = [{ id: 'unused', do: { kind: 'hang' } }];
  noteIn(local, 'june', { at: NOW, kind: 'changed', settings: { faults } });
  return { report: await reportOf(store), recorded };
}

describe('a report of a session with injected faults', () => {
  it('names them in its head, with the calls that each met, those that met none too', async () => {
    const { report } = await reported();
    expect(report.head.faults).toMatchObject([
      { fault: 'unused', kind: 'hang', calls: 0, from: new Date(NOW).toISOString() },
      { fault: 'slow-balances', calls: 4 },
    ]);
    expect(report.head.notes[0]).toMatch(/^Faults were injected: .*slow-balances .* met 4 calls/);
  });

  it('leaves out of its figures what they did', async () => {
    const { traffic } = (await reported()).report;
    expect(traffic.operations).toMatchObject([
      { calls: 4, injected: 3, errors: 0, statuses: [{ value: '200', count: 3 }] },
    ]);
    expect(traffic.latency.bank.max).toBeLessThan(1_000);
    expect(traffic.overTime.spans.reduce((sum, { errors }) => sum + errors, 0)).toBe(0);
  });

  it('counts no 429 of theirs for the daily limit', async () => {
    const store = aStore({ path: ':memory:' });
    const refused: Sent = {
      call: { ...call, headers: { Authorization: 'Bearer x', 'Consent-Id': 'c' } },
      answer: { status: 429, body: { tppMessages: [] } },
    };
    record(store as LocalStore, [refused, { ...refused, ...by({ kind: 'limit/early', did: null }) }]);
    const { days, rows } = (await reportOf(store)).dailyLimit;
    expect([days, rows].map((list) => list.map((one) => one.refused))).toEqual([[1], [1]]);
  });

  it.each(['html', 'markdown', 'json', 'sarif'] as const)('says so in %s', async (format) => {
    const { report } = await reported();
    expect(await renderReport(report, format, {})).toContain('slow-balances');
  });

  it('marks each of them in its list of exchanges', async () => {
    const { report } = await reported();
    expect(report.appendix.exchanges.map(({ injected }) => injected)).toEqual(
      SENT.map(() => 'slow-balances'),
    );
  });
});

describe('a ticket', () => {
  it('says what was injected, and is refused for what the bank was not asked', async () => {
    const { recorded } = await reported();
    const [delayed, kept] = recorded;
    if (delayed === undefined || kept === undefined) throw new Error('nothing was recorded');
    expect(renderTicket(delayed, [])).toContain(
      'Injected by us: `slow-balances (transport/delay), the answer was held back for 9000 ms`',
    );
    expect(() => renderTicket(kept, [])).toThrow(/^The bank has not seen the call/);
  });
});

describe('marks that a file claims', () => {
  const faults = [{ fault: 'f', kind: 'content/html', from: '2026-06-01T10:00:00.000Z', calls: 1 }];
  it('are doubted where only an imported file or the file itself says so', async () => {
    expect(injectedNotes(faults, { kind: 'file', digest: '' })[0]).toMatch(/Only the file says so: whoever/);
    const { report } = await reported();
    expect(report.head.notes[0]).not.toContain('Only the file');
  });

  it.each(['\u001b[2J', '<script>', 'a\r\nSet-Cookie: x', 'a'.repeat(61), ''])(
    'are no marks as %j',
    (name) => {
      expect(injection.safeParse({ fault: name, kind: 'done/lost' }).success).toBe(false);
      expect(injection.safeParse({ fault: 'f', kind: name }).success).toBe(false);
    },
  );

  it('are no observations of the bank', async () => {
    const store = aStore({ path: ':memory:' });
    record(
      store as LocalStore,
      VALID.map((sent) => ({ ...sent, ...by({ did: 201 }) })),
    );
    expect((await reportOf(store)).readings.flatMap(({ observed }) => observed)).toEqual([]);
  });
});
