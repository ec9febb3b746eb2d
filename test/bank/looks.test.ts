/**
 * Where gateways share a store, a call rests on the partitions that it looked at. Whatever others change elsewhere, its
 * verdicts, its answer and what is learned from it stay the same: else something was read and not noted.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createEmulator, createLivingBank } from '../../src/answer/index.js';
import {
  applyFacts,
  COMMON_PARTITION,
  createHabitualPopulation,
  createLine,
  createWorld,
  type FactChange,
  factsBack,
  type Reads,
} from '../../src/bank/index.js';
import { closeCall, openAnswer } from '../../src/exchange/index.js';
import { advance, authorizeRequestOf, keyOf, ownerOf, useFact } from '../../src/ledger/index.js';
import { createJudge, RULES } from '../../src/rules/index.js';
import { dialectOf, OPERATION_IDS, SANDBOX } from '../../src/spec/index.js';
import { placedChanges } from '../../src/store/index.js';
import { API, aContext, DATA, PSU } from '../answer/an-emulator.js';
import {
  aCall,
  aCertificate,
  type CallParts,
  fingerprint,
  judgeOptions,
  NOW,
  OTHER_TPP,
  organisation,
  TPP,
} from '../builders.js';
import * as ledger from '../rules/ledger-of.js';
import * as bank from './a-bank.js';

const TPPS = [TPP, OTHER_TPP] as const;
const SCOPES = [`AIS:${ledger.CONSENT}`, `PIS:${ledger.PAYMENT}`, 'AIS:VALID_CONSENT_ID'] as const;
const CODES = ['a-code', 'AIS_VALID_CODE'] as const;
const PSUS = ['psu-1', 'psu-2'] as const;
const IBANS = bank.ACCOUNTS.map(({ iban }) => iban);
const VALID = { validUntil: '2026-08-31', scaAt: NOW - 5_000, lastActionAt: NOW - 5_000 };

const form = (parts: Record<string, string>): CallParts => ({ operation: 'oauth.token', form: parts });
const codeForm = (code: string, clientId: string) =>
  form({
    ...{ grant_type: 'authorization_code', code, client_id: clientId, code_verifier: ledger.VERIFIER },
    redirect_uri: ledger.REDIRECT_URI,
  });
const refreshForm = (token: string) => form({ grant_type: 'refresh_token', refresh_token: token });
const authorize = (scope: string, clientId: string, more = ''): CallParts => ({
  operation: 'oauth.authorize',
  params: { authorisationId: ledger.AUTHORISATION },
  query: `response_type=code&scope=${scope}&client_id=${clientId}&state=${ledger.STATE}&redirect_uri=${ledger.REDIRECT_URI}&code_challenge=${ledger.CHALLENGE}&code_challenge_method=S256${more}`,
});
const payment = (debtor: string, creditor: string, amount = '12.50') => ({
  instructedAmount: { currency: 'EUR', amount },
  debtorAccount: { iban: debtor },
  creditorAccount: { iban: creditor },
  creditorName: 'Someone',
});

/** Of no account, until an operator gives it to one. */
const NEW_IBAN = 'BE86986509812450';
const POPULATION = createHabitualPopulation(bank.POPULATION);

/** Of every operation, and of those that look at most, with all that they may look at. */
const CALLS: readonly CallParts[] = [
  ...OPERATION_IDS.map((operation) => ({
    operation,
    params: { consentId: ledger.CONSENT, paymentId: ledger.PAYMENT, authorisationId: ledger.AUTHORISATION },
    headers: { 'Consent-Id': ledger.CONSENT, Authorization: 'Bearer a-token' },
    query: `authorizationId=${ledger.AUTHORISATION}`,
  })),
  ...CODES.flatMap((code) => [...TPPS, SANDBOX.clientId].map((client) => codeForm(code, client))),
  refreshForm('a-refresh-token'),
  ...SCOPES.flatMap((scope) =>
    [...TPPS, SANDBOX.clientId].flatMap((client) =>
      ['', '&psu=psu-1', '&scenario=SCA_OK&psu=psu-2'].map((more) => authorize(scope, client, more)),
    ),
  ),
  ...bank.ACCOUNTS.map(
    ({ resourceId: accountId }): CallParts => ({
      operation: 'accounts.transactions',
      params: { accountId },
      query: 'bookingStatus=both',
      headers: { 'Consent-Id': ledger.CONSENT, Authorization: 'Bearer a-token' },
    }),
  ),
  ...[...IBANS, NEW_IBAN].map(
    (iban): CallParts => ({
      operation: 'funds-confirmations.create',
      body: { account: { iban }, instructedAmount: { currency: 'EUR', amount: '20500.00' } },
    }),
  ),
  { operation: 'payments.create', body: payment(IBANS[0] ?? '', IBANS[4] ?? '') },
  { operation: 'accounts.list', query: 'odd=1', headers: { 'Consent-Id': ledger.CONSENT } },
];

const execution = (outcome: 'booked') =>
  ({ at: NOW - 60_000, outcome, reason: null, debited: 100, credited: 100 }) as const;
const put = (family: FactChange['family'], key: string, fact: object): FactChange =>
  ({ family, key, fact }) as FactChange;

/** What other gateways may have changed: facts of either TPP and of nobody, under what the calls look for. */
const POOL: readonly FactChange[] = [
  ...TPPS.flatMap((tpp): FactChange[] => [
    ledger.aConsent({ tpp, status: 'valid', frequencyPerDay: 1 }),
    ledger.aConsent({ tpp, status: 'valid', deletedAt: NOW - 1 }),
    ledger.aPayment({ tpp }),
    ledger.aPayment({ tpp, status: 'ACSC' }),
    ledger.anAuthorisation({ tpp }),
    ledger.anAuthorisation({ tpp, status: 'finalised', scope: SCOPES[1], discoveryReadAt: NOW - 9 }),
    ledger.aRefreshToken({ tpp, token: fingerprint('a-refresh-token'), replacedBy: 'x' }),
    put('refreshTokens', fingerprint('a-refresh-token'), {
      ...{
        token: fingerprint('a-refresh-token'),
        tpp,
        scope: SCOPES[0],
        issuedAt: NOW - 9,
        replacedBy: null,
      },
    }),
    put('tokens', fingerprint('a-token'), {
      ...{ token: fingerprint('a-token'), tpp, scope: SCOPES[0], issuedAt: NOW - 9, expiresAt: NOW + 9_000 },
    }),
    put('accesses', keyOf.access(tpp, ledger.CONSENT, 'accounts.list', ''), {
      ...{ tpp, consentId: ledger.CONSENT, operation: 'accounts.list', accountId: '', times: [NOW - 1_000] },
    }),
    put('links', keyOf.link(tpp, { path: '/stdgroup/v1/accounts', query: [['odd', '1']] }), {
      ...{ tpp, path: '/stdgroup/v1/accounts', query: [['odd', '1']] },
    }),
    ...[codeForm('a-code', tpp), refreshForm('a-refresh-token')].map((parts, i) => {
      const call = aCall({ ...parts, id: `use-${tpp}-${i}`, certificate: of(tpp) });
      const key =
        i === 0
          ? keyOf.use('code', fingerprint('a-code'))
          : keyOf.use('refresh', fingerprint('a-refresh-token'));
      return put(
        'uses',
        call.id,
        useFact(call, { call: call.id, keys: [key], digest: call.request.digest }, NOW + 60_000),
      );
    }),
    put('bankTokens', fingerprint('a-refresh-token'), {
      ...{
        token: fingerprint('a-refresh-token'),
        kind: 'refresh',
        tpp,
        scope: SCOPES[0],
        code: fingerprint('a-code'),
      },
      ...{ issuedAt: NOW - 9, expiresAt: NOW + 9_000 },
    }),
    put('bankTokens', fingerprint('a-token'), {
      ...{
        token: fingerprint('a-token'),
        kind: 'access',
        tpp,
        scope: SCOPES[0],
        code: fingerprint('a-code'),
      },
      ...{ issuedAt: NOW - 9, expiresAt: NOW + 9_000 },
    }),
    ...[null, NOW - 5].map((reusedAt) =>
      put('bankCodes', fingerprint('a-code'), {
        ...{ code: fingerprint('a-code'), tpp, authorisation: ledger.AUTHORISATION, scope: SCOPES[0] },
        ...{ clientId: tpp, redirectUri: ledger.REDIRECT_URI, challenge: ledger.CHALLENGE, method: 'S256' },
        ...{ issuedAt: NOW - 9, usedAt: reusedAt, reusedAt },
      }),
    ),
    ...PSUS.flatMap((psu) => [
      put('bankConsents', ledger.CONSENT, bank.aConsent({ ...VALID, id: ledger.CONSENT, tpp, psu })),
      put('bankConsents', `${tpp} ${psu}`, bank.aConsent({ ...VALID, id: `${tpp} ${psu}`, tpp, psu })),
    ]),
    put(
      'bankConsents',
      ledger.CONSENT,
      bank.aConsent({ id: ledger.CONSENT, tpp, createdAt: NOW - 9, validUntil: '2026-08-31' }),
    ),
    put('bankAuthorisations', ledger.AUTHORISATION, {
      ...bank.anAuthorisation({
        id: ledger.AUTHORISATION,
        tpp,
        resource: ledger.CONSENT,
        createdAt: NOW - 9,
      }),
    }),
  ]),
  ...[...TPPS, null].flatMap((tpp): FactChange[] => [
    ...CODES.map((code) => ledger.aCode(code, { tpp })),
    ...CODES.map((code) => ledger.aCode(code, { tpp, usedAt: NOW - 1 })),
    ...[...TPPS, SANDBOX.clientId].flatMap((clientId) => [
      ledger.anAuthorize({ tpp, clientId }),
      ledger.anAuthorize({ tpp, clientId, challenge: 'another', redirectUri: 'https://else.example/cb' }),
    ]),
    ledger.aUse('state', ledger.STATE, { tpp, purpose: 'another' }),
    ledger.aUse('challenge', ledger.CHALLENGE, { tpp, purpose: 'another' }),
  ]),
  ...['acc-1', 'acc-joint', 'acc-3'].flatMap((debtor, i) =>
    [null, execution('booked')].map((executed, j) =>
      put('bankPayments', i === 0 ? ledger.PAYMENT : `payment-${i}${j}`, {
        ...bank.aPayment({
          createdAt: NOW - 9,
          id: i === 0 ? ledger.PAYMENT : `payment-${i}${j}`,
          tpp: TPPS[i % 2] ?? TPP,
          debtor,
        }),
        ...{ creditor: j === 0 ? null : 'acc-1', psu: 'psu-1', authorisedAt: NOW - 9_000 },
        ...{ dueAt: i === 2 ? NOW - 1_000 : NOW + 9_000_000, execution: executed },
      }),
    ),
  ),
  ...[null, ...SCOPES].map((scope) =>
    put('bankOutcomes', `${scope ?? '*'} *`, { scenario: 'SCA_NOK', scope, psu: null, setAt: NOW - 9 }),
  ),
  ...['acc-1', 'acc-joint', 'acc-3'].flatMap((id) => [
    put('bankAccounts', id, { id, status: 'blocked', bookings: [] }),
    put('bankAccounts', id, {
      id,
      bookings: [{ id: `${id}-hand-1`, at: NOW - 9, day: 0, amount: 5, text: '' }],
    }),
    put('bankAccounts', id, {
      ...{ id, bookings: [], iban: NEW_IBAN },
      formerIbans: [{ iban: IBANS[0], until: NOW + 9_000_000 }],
    }),
  ]),
];

function of(tpp: string) {
  return aCertificate({ organizationIdentifier: organisation(tpp) });
}

const judge = createJudge({ rules: RULES, options: judgeOptions('production'), fingerprint });

/** All that becomes of a call, where another one's ids would be those of this one. */
function outcomeOf(world: ReturnType<typeof createWorld>, parts: CallParts, isLiving: boolean): unknown {
  let ids = 0;
  const shared = {
    ...{ data: DATA, urls: () => ({ api: API, psu: PSU }), scaLink: () => 'discovery' as const, fingerprint },
    ...{ dialect: dialectOf(), onNotification: () => null, notifies: () => false, scaLinkMs: 1_200_000 },
    ids: { token: () => `token-${++ids}`, authorisation: () => `id-${++ids}` },
  };
  const sandbox = createEmulator(shared);
  const answerer = isLiving ? createLivingBank({ ...shared, sandbox, population: POPULATION }) : sandbox;
  const call = aCall(parts);
  const judged = judge.judgeCall(call, world.ledger);
  const { answer, changes = [] } = answerer.answer(
    call,
    aContext({ ...world, ledger: world.ledger, now: NOW }),
  );
  const given = openAnswer({ ...answer, source: 'upstream', body: answer.body } as never);
  const exchange = closeCall(call, given, { total: 1, answerer: 1 });
  const both = judge.judgeExchange(exchange, world.ledger, judged);
  return [
    [both.verdicts, both.findings, judged.refusal],
    [answer.status, answer.headers.filter(([name]) => name !== 'Date'), answer.body?.text],
    advance(world.ledger, exchange, fingerprint),
    // Whoever comes first carries what is due by now.
    changes.filter(({ family, fact }) => family !== 'bankPayments' || fact?.execution == null),
  ];
}

const caller = fc.constantFrom<CallParts>(
  { certificate: of(TPP) },
  { certificate: of(OTHER_TPP) },
  { certificate: 'absent' },
);
/**
 * Looked up by keys that are unique, which only their TPP names before they are there: whoever asked before a fact came to
 * be was first.
 */
const BY_KEY: ReadonlySet<string> = new Set([
  ...['consents', 'payments', 'authorisations', 'codes', 'tokens', 'refreshTokens', 'usedOnce'],
  ...['bankAuthorisations', 'bankCodes', 'bankTokens'],
]);

/** The key of the authorization request that a call is: its state and challenge are known to whoever sends it alone. */
const ownRequest = (parts: CallParts): string | null =>
  parts.operation === 'oauth.authorize'
    ? keyOf.authorize(authorizeRequestOf(aCall(parts), new URLSearchParams(parts.query).get('scope') ?? ''))
    : null;

/** Ids are unique: the consent or payment that an authorisation of one TPP is for is never another one's. */
const isImpossible = (facts: readonly FactChange[], { family, fact }: FactChange): boolean =>
  (family === 'bankConsents' || family === 'bankPayments') &&
  facts.some(
    (one) =>
      one.family === 'bankAuthorisations' &&
      one.fact !== null &&
      (one.fact as { resource: string }).resource === (fact as { id: string }).id &&
      (one.fact as { tpp: string }).tpp !== (fact as { tpp: string }).tpp,
  );

/** A fact comes, or one that is there changes or goes. */
const change = fc.record({ of: fc.constantFrom(...POOL), isRemoved: fc.boolean() });

it('a call is the same whatever others change where it did not look', () => {
  let compared = 0;
  fc.assert(
    fc.property(
      fc.subarray([...POOL]),
      fc.constantFrom(...CALLS),
      caller,
      fc.array(change, { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      fc.boolean(),
      (facts, call, by, changes, isLiving, beganLater) => {
        const parts =
          call.operation === 'oauth.authorize'
            ? { ...call, certificate: 'absent' as const }
            : { ...call, ...by };
        const reads: Reads = { into: null };
        const world = createWorld(facts, '', createLine(undefined, reads));
        world.ledger.beganLater = beganLater;
        const looked = new Set([ownerOf(aCall(parts)) ?? COMMON_PARTITION]);
        reads.into = looked;
        const before = outcomeOf(world, parts, isLiving);
        reads.into = null;
        for (const {
          of: { family, key, fact },
          isRemoved,
        } of changes) {
          if (isImpossible(facts, { family, key, fact } as FactChange)) continue;
          const made = { family, key, fact: isRemoved ? null : fact } as FactChange;
          const isKnown = BY_KEY.has(family) || (family === 'authorizes' && key === ownRequest(parts));
          if (isKnown && factsBack(world, [made])[0]?.fact === null) continue;
          const placed = placedChanges('', [made], factsBack(world, [made]));
          const moved = placed.flatMap((one) =>
            'family' in one ? [one.home ?? '', ...(one.tags ?? [])] : [],
          );
          if (moved.some((partition) => looked.has(partition))) continue;
          applyFacts(world, [made]);
          compared++;
        }
        expect(outcomeOf(world, parts, isLiving)).toEqual(before);
      },
    ),
    { numRuns: 250 },
  );
  expect(compared).toBeGreaterThan(300);
});

it('an IBAN that leads nowhere is looked at: an operator may give it to an account meanwhile', () => {
  const looked = new Set<string>();
  const reads: Reads = { into: looked };
  const world = createWorld([], '', createLine(undefined, reads));
  const call: CallParts = {
    operation: 'funds-confirmations.create',
    body: { account: { iban: NEW_IBAN }, instructedAmount: { currency: 'EUR', amount: '1.00' } },
  };
  outcomeOf(world, { ...call, certificate: of(TPP) }, true);
  const given = put('bankAccounts', 'acc-1', { id: 'acc-1', iban: NEW_IBAN, bookings: [] });
  const moved = placedChanges('', [given], factsBack(world, [given])).flatMap((one) =>
    'family' in one ? [one.home ?? '', ...(one.tags ?? [])] : [],
  );
  expect(moved.some((partition) => looked.has(partition))).toBe(true);
});
