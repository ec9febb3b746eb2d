/** Random lives of consents: whatever is done in whichever order, no status follows that the specification does not allow. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyBankChanges,
  type BankChange,
  type BankConsent,
  bankChangeBack,
  bankNameOf,
  consentStatusAt,
  coveredAccounts,
  createBankState,
  endConsent,
  endSca,
  moveSca,
  openConsent,
  scaStatusAt,
  startAuthorisation,
} from '../../src/bank/index.js';
import type { FactFamily } from '../../src/ledger/index.js';
import {
  bankDateAt,
  CONSENT_STATUSES,
  type ConsentStatus,
  dialectOf,
  SCA_SCENARIO_IDS,
  SCA_STATUSES,
} from '../../src/spec/index.js';
import { DAY, HOUR, NOON, type OwnBooks, POPULATION } from './a-bank.js';

/** Reading `consent-transitions`. */
const FOLLOWS: Readonly<Record<string, readonly ConsentStatus[]>> = {
  received: ['valid', 'rejected', 'expired', 'terminatedByTpp'],
  valid: ['revokedByPsu', 'expired', 'terminatedByTpp'],
};
const TPPS = ['PSDBE-NBB-1', 'PSDBE-NBB-2'];
const ACCESS = [
  { allPsd2: 'allAccounts' },
  { accounts: [], balances: [] },
  { balances: [{ iban: 'BE68539007547034' }] },
];

const nth = fc.nat({ max: 30 });
const step = fc.oneof(
  fc.record({
    do: fc.constant('create' as const),
    tpp: fc.constantFrom(...TPPS),
    access: fc.constantFrom(...ACCESS),
    recurring: fc.boolean(),
    explicit: fc.boolean(),
    days: fc.integer({ min: 0, max: 120 }),
  }),
  fc.record({ do: fc.constant('start' as const), nth }),
  fc.record({ do: fc.constant('move' as const), nth, status: fc.constantFrom('psuIdentified', 'started') }),
  fc.record({
    do: fc.constant('sca' as const),
    nth,
    psu: fc.constantFrom('psu-1', 'psu-2', 'psu-9', null),
    outcome: fc.constantFrom(...SCA_SCENARIO_IDS, 'SCA_OK' as const, 'SCA_OK' as const),
  }),
  fc.record({
    do: fc.constant('end' as const),
    nth,
    status: fc.constantFrom('rejected', 'revokedByPsu', 'terminatedByTpp', 'expired'),
  }),
  fc.record({ do: fc.constant('use' as const), nth }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(60_000, HOUR, DAY, 40 * DAY) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function nthOf<V extends object>(facts: FactFamily<V>, number: number): V | undefined {
  return [...facts.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, fact]) => fact)[
    number % (facts.size || 1)
  ];
}

function changesOf({ state }: OwnBooks, one: Step, now: number, id: () => string): readonly BankChange[] {
  const books = { state, population: POPULATION };
  if (one.do === 'create') {
    const validUntil = bankDateAt(now + one.days * DAY);
    const body = { access: one.access, recurringIndicator: one.recurring, validUntil, frequencyPerDay: 4 };
    const addresses = { redirectUri: null, nokRedirectUri: null };
    const request = { id: id(), tpp: one.tpp, explicit: one.explicit, ...addresses, body };
    const fact = openConsent(request, POPULATION, dialectOf(), now) as BankConsent;
    return [{ family: 'bankConsents', key: fact.id, fact }];
  }
  const consent = 'nth' in one ? nthOf(state.bankConsents, one.nth) : undefined;
  if (consent === undefined) return [];
  const authorisation = state.bankAuthorisations.get(consent.authorisations.at(-1) ?? '');
  switch (one.do) {
    case 'start': {
      const { tpp, redirectUri, nokRedirectUri } = consent;
      const opening = { id: id(), tpp, tppName: null, of: 'consent', resource: consent.id } as const;
      return startAuthorisation(state, { ...opening, redirectUri, nokRedirectUri }, now);
    }
    case 'move': {
      if (authorisation === undefined) return [];
      const fact = moveSca(authorisation, { status: one.status as 'started' }, now);
      return [{ family: 'bankAuthorisations', key: fact.id, fact }];
    }
    case 'sca':
      return authorisation === undefined
        ? []
        : endSca(books, { authorisation, psu: one.psu, outcome: one.outcome }, now).changes;
    case 'end':
      return endConsent(consent, one.status as 'expired', now);
    case 'use':
      return consentStatusAt(consent, now) === 'valid' && consent.usedAt === null
        ? [{ family: 'bankConsents', key: consent.id, fact: { ...consent, usedAt: now } }]
        : [];
    default:
      return [];
  }
}

describe('the life of consents', () => {
  it('goes forward only, gives nothing but when valid, and comes back from its changes', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const state = createBankState();
        let [now, ids] = [NOON, 0];
        const statuses = new Map<string, ConsentStatus>();
        const ranks = new Map<string, number>();
        const kept: BankChange[] = [];
        for (const one of steps) {
          if (one.do === 'wait') now += one.ms;
          const changes = changesOf(
            { state, population: POPULATION },
            one,
            now,
            () => `id-${String(++ids).padStart(3, '0')}`,
          );
          const back = changes.map((change) => bankChangeBack(state, change));
          const before = JSON.stringify(factsOf(state));
          applyBankChanges(state, changes);
          const after = JSON.stringify(factsOf(state));
          applyBankChanges(state, [...back].reverse());
          expect(JSON.stringify(factsOf(state))).toBe(before);
          applyBankChanges(state, changes);
          expect(JSON.stringify(factsOf(state))).toBe(after);
          kept.push(...changes);

          for (const consent of state.bankConsents.values()) {
            const status = consentStatusAt(consent, now);
            const known = statuses.get(consent.id) ?? 'received';
            if (status !== known) expect(FOLLOWS[known] ?? []).toContain(status);
            statuses.set(consent.id, status);
            if (status === 'received' || status === 'rejected') expect(consent.psu).toBeNull();
            if (consent.psu === null) expect(coveredAccounts(consent, POPULATION)).toEqual([]);
          }
          for (const authorisation of state.bankAuthorisations.values()) {
            const { rank } = SCA_STATUSES[scaStatusAt(authorisation, now)];
            expect(rank).toBeGreaterThanOrEqual(ranks.get(authorisation.id) ?? 0);
            ranks.set(authorisation.id, rank);
          }
          for (const tpp of TPPS)
            for (const psu of ['psu-1', 'psu-2']) {
              const valid = [...state.bankConsents.values()].filter(
                (consent) =>
                  consent.tpp === tpp &&
                  consent.psu === psu &&
                  consent.recurring &&
                  consentStatusAt(consent, now) === 'valid',
              );
              expect(valid.length, 'one recurring consent of a PSU and a TPP').toBeLessThanOrEqual(1);
            }
        }
        expect(factsOf(createBankState(kept))).toEqual(factsOf(state));
        for (const status of statuses.values()) expect(Object.keys(CONSENT_STATUSES)).toContain(status);
      }),
      { numRuns: 300 },
    );
  });
});

/** By id, whatever came first. */
function factsOf({ bankConsents, bankAuthorisations }: OwnBooks['state']) {
  const open = [...bankConsents.values()].flatMap(({ id, tpp, psu }) =>
    psu === null
      ? []
      : [
          [
            id,
            bankConsents
              .all(bankNameOf.open(tpp, psu))
              .map((one) => one.id)
              .sort(),
          ],
        ],
  );
  const sorted = (facts: Iterable<readonly [string, unknown]>) =>
    [...facts].sort(([a], [b]) => (a < b ? -1 : 1));
  return [sorted(bankConsents), sorted(bankAuthorisations), sorted(open as [string, unknown][])];
}
