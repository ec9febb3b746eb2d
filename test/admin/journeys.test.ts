/** Journeys as data: which journey an exchange belongs to, what comes next, and which link of the chain is broken. */
import { describe, expect, it } from 'vitest';
import { breakOf, LINKS, REACHES, RULE_BREAKS } from '../../src/admin/journeys/chain.js';
import { createJourneys } from '../../src/admin/journeys/journeys.js';
import { showJourney, showRuns } from '../../src/admin/journeys/show-journey.js';
import type { StepCall } from '../../src/admin/journeys/step-call.js';
import { type BankState, createBankState } from '../../src/bank/index.js';
import { firstIdAt } from '../../src/exchange/index.js';
import { createLedger, openDailyWindow } from '../../src/ledger/index.js';
import { RULES } from '../../src/rules/index.js';
import { DAY_MS } from '../../src/spec/index.js';
import { aConsent, aPayment } from '../bank/a-bank.js';
import { NOW, TPP } from '../builders.js';
import { collectGarbage } from '../collect-garbage.js';

let next = 0;
function aStepCall(parts: Partial<StepCall>): StepCall {
  next += 1;
  return {
    ...{ exchange: `X${next}`, session: 'test', at: NOW + next, tpp: TPP, isBrowser: false },
    ...{ step: null, outcome: 'ok', resources: [{ kind: 'consent', id: 'C1' }], creates: null },
    ...{ reaches: parts.step == null ? null : REACHES[parts.step] },
    ...{ worst: null, broken: null, tokenUntil: undefined, accessKey: null },
    ...{ listener: 'api', method: 'GET', path: '/', status: 200, ms: 1 },
    ...{ source: 'emulator', sender: null, reason: null },
    ...parts,
  };
}
const around = {
  ledger: createLedger(),
  bank: createBankState(),
  now: NOW,
  window: openDailyWindow({ kind: 'rolling' }),
  isPartial: false,
};
const shown = (journeys: ReturnType<typeof createJourneys>, bank = around.bank) =>
  [...journeys.all()].map((journey) => showJourney(journey, { ...around, bank }));
function grownAt(bank: BankState, ...calls: Partial<StepCall>[]) {
  const journeys = createJourneys();
  for (const call of calls) journeys.take(aStepCall(call));
  return shown(journeys, bank);
}
const grown = (...calls: Partial<StepCall>[]) => grownAt(around.bank, ...calls);

describe('the table of links', () => {
  it('names rules of the catalogue alone', () => {
    const known = new Set(RULES.map(({ id }) => id));
    expect(Object.keys(RULE_BREAKS).filter((id) => !known.has(id))).toEqual([]);
  });
});

describe('a journey', () => {
  const created = { step: 'created', creates: 'consent' } as const;
  const psu = { step: 'psu', isBrowser: true, tpp: null } as const;

  it('goes from creation over PSU and token to reads, a browser’s calls in the journey of the resource', () => {
    expect(grown(created).map(({ next }) => next)).toEqual(['psu']);
    const [journey, ...others] = grown(
      created,
      { ...psu, outcome: 'waiting' },
      psu,
      { step: 'token' },
      { step: 'reads' },
      { step: 'reads' },
    );
    expect(others).toEqual([]);
    expect(journey?.steps.map(({ step, outcome, count }) => [step, outcome, count])).toEqual([
      ['created', 'ok', 1],
      ['psu', 'waiting', 1],
      ['psu', 'ok', 1],
      ['token', 'ok', 1],
      ['reads', 'ok', 2],
    ]);
    expect([journey?.next, journey?.broken, journey?.chain.map(({ state }) => state)]).toEqual([
      null,
      null,
      LINKS.map(() => 'ok'),
    ]);
  });

  it('breaks at the consent where the bank says that it is the consent, and in its words', () => {
    const said = { status: 401, code: 'CONSENT_INVALID', says: 'The bank answered 401: no right.' };
    expect(breakOf('reads', said, [])).toEqual({ link: 'consent', rule: null, text: said.says });
    const silent = { status: 401, code: undefined, says: null };
    expect(breakOf('reads', silent, [])).toMatchObject({ link: 'token', text: 'It was answered 401.' });
  });

  it('has the broken link until a later step has used it', () => {
    const broken = { link: 'code', rule: 'oauth/code-used-once', text: 'used' } as const;
    const failed = { step: 'token', outcome: 'refused', worst: 'must', broken } as const;
    const [journey] = grown(created, psu, failed);
    expect([journey?.broken, journey?.worst, journey?.next]).toEqual(['code', 'must', 'token']);
    expect(journey?.chain.find(({ link }) => link === 'code')).toMatchObject({
      state: 'broken',
      rule: broken.rule,
    });
    const [mended] = grown(created, psu, failed, { step: 'token' });
    expect([mended?.broken, mended?.next]).toEqual([null, 'reads']);
  });

  it('of a payment has used no code and no token because it was read without one', () => {
    const payment = { resources: [{ kind: 'payment', id: 'P1' }] } as const;
    const broken = { link: 'authorisation', rule: null, text: 'SCA_NOK' } as const;
    const begun = { ...created, ...payment, creates: 'payment' } as const;
    const read = { ...payment, step: 'reads', reaches: 'consent' } as const;
    const failed = { ...psu, ...payment, outcome: 'failed', broken } as const;
    const [journey] = grown(begun, failed, read);
    expect([journey?.next, journey?.broken]).toEqual(['psu', 'authorisation']);
    expect(journey?.chain.map(({ state }) => state)).toEqual([
      ...['ok', 'ok', 'ok', 'broken', 'open', 'open', 'open'],
    ]);
    const [paid] = grown(begun, { ...psu, ...payment }, { ...payment, step: 'token' }, read);
    expect([paid?.next, paid?.chain.find(({ link }) => link === 'token')?.state]).toEqual([null, 'open']);
  });

  it('is another one where a literal id is created again, or by another TPP', () => {
    const ids = grown(created, created, { ...created, tpp: 'PSDDE-BAFIN-1' }).map(({ id, tpp }) => [id, tpp]);
    expect(ids).toEqual([
      ['C1', TPP],
      ['C1~2', TPP],
      ['C1~3', 'PSDDE-BAFIN-1'],
    ]);
  });

  it('keeps the calls of its PSU where another TPP, which did not create it, names it', () => {
    const stranger = { step: 'reads', outcome: 'refused', tpp: 'PSDDE-BAFIN-1' } as const;
    const journeys = grown(created, stranger, psu);
    expect(journeys.map(({ tpp, steps }) => [tpp, steps.map(({ step }) => step)])).toEqual([
      ['PSDDE-BAFIN-1', ['reads']],
      [TPP, ['created', 'psu']],
    ]);
  });

  it('that creates nothing is one journey of its TPP until something is created', () => {
    const failed = { ...created, resources: [], outcome: 'refused' } as const;
    const journeys = grown(failed, failed, created);
    expect(journeys.map(({ resource, steps }) => [resource, steps[0]?.count])).toEqual([
      [null, 2],
      ['C1', 1],
    ]);
  });

  it('of an executed payment is not broken by what came behind its end, and needs no token', () => {
    const resources = [{ kind: 'payment', id: 'P1' }] as const;
    const begun = [
      { ...created, resources, creates: 'payment' },
      { ...psu, resources },
    ] as const;
    expect(grown(...begun)[0]?.next).toBeNull();
    const broken = { link: 'consent', rule: null, text: 'The bank has no such payment.' } as const;
    const late = { step: 'reads', resources, outcome: 'failed', broken } as const;
    expect(grown(...begun, late)[0]?.broken).toBe('consent');
    const bank = createBankState();
    bank.bankPayments.put('P1', aPayment({ id: 'P1', cancelledAt: NOW }));
    expect(grownAt(bank, ...begun, late)[0]).toMatchObject({ status: 'CANC', ended: true, broken: null });
  });

  it('of a consent that was taken back breaks at the consent, and tells of no token and no limit', () => {
    const bank = createBankState();
    bank.bankConsents.put(
      'C1',
      aConsent({ id: 'C1', scaAt: NOW, validUntil: '2026-08-31', end: { status: 'revokedByPsu', at: NOW } }),
    );
    const broken = { link: 'code', rule: null, text: 'The consent is revokedByPsu.' } as const;
    const given = { step: 'token', tokenUntil: NOW + DAY_MS } as const;
    const [journey] = grownAt(bank, created, psu, given, { step: 'token', outcome: 'failed', broken });
    expect(journey).toMatchObject({ ended: true, broken: 'consent', token: null });
  });

  it('claims no end of a token whose code came a second time', () => {
    const given = { step: 'token', tokenUntil: NOW + DAY_MS } as const;
    expect(grown(created, psu, given, { step: 'reads' })[0]?.token?.expired).toBe(false);
    expect(
      grown(created, psu, given, { step: 'token', outcome: 'failed', tokenUntil: null })[0]?.token,
    ).toBeNull();
  });

  it('does not ask for a creation that came before the recording, nor for an SCA that a valid consent had', () => {
    const broken = { link: 'token', rule: null, text: 'no token' } as const;
    const failed = { step: 'reads', outcome: 'failed', broken } as const;
    expect(grown(failed)[0]?.next).toBe('psu');
    const bank = createBankState();
    bank.bankConsents.put('C1', aConsent({ id: 'C1', validUntil: '2026-08-31', scaAt: NOW }));
    expect(grownAt(bank, failed)[0]?.next).toBe('token');
    expect(grown({ ...failed, broken: { ...broken, link: 'consent' } })[0]?.next).toBe('created');
  });

  it('has its times by the machine, and of many calls the newest with the gravest finding', () => {
    const at = (second: number) => firstIdAt(NOW + second * 1_000);
    const journeys = createJourneys();
    const take = (second: number, worst: StepCall['worst'] = null) =>
      journeys.take(aStepCall({ step: 'reads', exchange: at(second), at: NOW + second * DAY_MS, worst }));
    take(0);
    take(2, 'must');
    take(3, 'must');
    take(4, 'note');
    take(9);
    const [run] = [...journeys.all()].flatMap(showRuns);
    expect([run?.count, run?.found, run?.gravest, run?.took]).toEqual([5, 3, at(3), 9_000]);
    expect(run?.calls.map(({ past }) => past)).toEqual([null, 2_000, 1_000]);
  });

  it('stays within bounds, whatever comes', () => {
    const journeys = createJourneys();
    for (let i = 0; i < 700; i++)
      journeys.take(aStepCall({ ...created, resources: [{ kind: 'consent', id: `C${i}` }] }));
    for (let i = 0; i < 100; i++)
      journeys.take(
        aStepCall({ step: i % 2 === 0 ? 'reads' : 'token', resources: [{ kind: 'consent', id: 'C699' }] }),
      );
    const all = shown(journeys);
    expect([all.length, all.at(-1)?.steps.length, all.at(-1)?.omitted]).toEqual([500, 40, 61]);
    expect(all.at(-1)?.steps[0]?.step).toBe('created');
    expect(journeys.find('consent', 'C0')).toBeNull();
  });

  it('keeps little of each call, however long its path is and what the bank says', () => {
    const journeys = createJourneys();
    const take = (i: number) => {
      const novel = `${i} ${'no '.repeat(300_000)}`;
      const step = i % 2 === 0 ? 'reads' : 'token';
      journeys.take(aStepCall({ step, path: `/${novel}`.slice(0, 16_000), reason: novel.slice(0, 400) }));
    };
    take(0);
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let i = 1; i < 40; i++) take(i);
    collectGarbage();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(1_000_000);
    expect(journeys.byId('C1')?.runs.length).toBe(40);
  });
});
