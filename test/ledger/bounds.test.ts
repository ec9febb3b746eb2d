import { describe, expect, it } from 'vitest';
import {
  advance,
  applyChanges,
  createLedger,
  isPartial,
  isWhole,
  keyOf,
  LEDGER_CAPS,
  type LedgerState,
  ledgerSize,
  TRANSIENT_FAMILIES,
} from '../../src/ledger/index.js';
import {
  type AnswerParts,
  aCertificate,
  anExchange,
  type CallParts,
  fingerprint,
  NOW,
  OTHER_TPP,
  organisation,
  TPP,
} from '../builders.js';

const DAY = 86_400_000;

function take(ledger: LedgerState, call: CallParts, answer: AnswerParts) {
  const changes = advance(ledger, anExchange({ call, answer }), fingerprint);
  applyChanges(ledger, changes);
  return changes;
}

describe('the ledger', () => {
  it('keeps request ids within their cap, the newest of them', () => {
    const ledger = createLedger();
    const count = LEDGER_CAPS.requestIds + 1_000;
    for (let i = 0; i < count; i++) take(ledger, { headers: { 'X-Request-ID': `id-${i}` } }, { status: 404 });
    expect(ledger.requestIds.size).toBeLessThanOrEqual(LEDGER_CAPS.requestIds);
    expect(ledger.requestIds.size).toBeGreaterThan(LEDGER_CAPS.requestIds * 0.9);
    expect(ledger.requestIds.has(keyOf.requestId(TPP, `id-${count - 1}`))).toBe(true);
    expect(ledger.requestIds.has(keyOf.requestId(TPP, 'id-0'))).toBe(false);
  });

  it('tells what went as changes, so that a store forgets it too', () => {
    const ledger = createLedger();
    const create = (i: number): [CallParts, AnswerParts] => [
      { operation: 'consents.create', body: {} },
      { status: 201, body: { consentId: `C${i}`, consentStatus: 'received', _links: {} } },
    ];
    for (let i = 0; i < LEDGER_CAPS.consents; i++) {
      const key = keyOf.resource(TPP, `C${i}`);
      ledger.consents.put(key, { id: `C${i}` } as never);
    }
    const changes = take(ledger, ...create(LEDGER_CAPS.consents));
    const removed = changes.filter(({ fact }) => fact === null);
    expect(removed).toHaveLength(LEDGER_CAPS.consents / 16);
    expect(removed[0]).toEqual({ family: 'consents', key: keyOf.resource(TPP, 'C0'), fact: null });
    expect(ledger.consents.size).toBe((LEDGER_CAPS.consents / 16) * 15 + 1);
  });

  it('knows a token long after its end, as long as it is among the newest', () => {
    const ledger = createLedger();
    const token = (name: string, at: number) =>
      take(
        ledger,
        { operation: 'oauth.token', form: { grant_type: 'authorization_code', code: name }, at },
        { body: { access_token: name, expires_in: 300, scope: 'PIS:P1', refresh_token: `r${name}` } },
      );
    token('old', NOW);
    token('newer', NOW + 300 * DAY);
    expect(ledger.tokens.get(fingerprint('old'))?.expiresAt).toBe(NOW + 300_002);
    for (let i = ledger.tokens.size; i < LEDGER_CAPS.tokens; i++)
      ledger.tokens.put(`token ${i}`, { tpp: TPP, expiresAt: NOW } as never);
    token('one too many', NOW + 301 * DAY);
    expect(ledger.tokens.has(fingerprint('old'))).toBe(false);
    expect(ledger.tokens.size).toBeLessThanOrEqual(LEDGER_CAPS.tokens);
  });

  it('loses facts of the TPP that has most, for whomever something is added', () => {
    const ledger = createLedger();
    ledger.tokens.put('of another', { tpp: OTHER_TPP, expiresAt: NOW } as never);
    for (let i = 1; i < LEDGER_CAPS.tokens; i++)
      ledger.tokens.put(`token ${i}`, { tpp: TPP, expiresAt: NOW } as never);
    take(
      ledger,
      { operation: 'oauth.token', form: { grant_type: 'authorization_code', code: 'c' } },
      { body: { access_token: 'a', expires_in: 300, scope: 'PIS:P1', refresh_token: 'r' } },
    );
    expect(ledger.tokens.size).toBe((LEDGER_CAPS.tokens / 16) * 15 + 1);
    expect(['of another', 'token 1', fingerprint('a')].map((key) => ledger.tokens.has(key))).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('keeps of one key of accesses what the window can need', () => {
    const ledger = createLedger();
    const read = (at: number) =>
      take(
        ledger,
        { operation: 'accounts.list', headers: { 'Consent-Id': 'C1', 'X-Request-ID': undefined }, at },
        { body: {} },
      );
    for (let i = 0; i < 150; i++) read(NOW + i);
    expect([...ledger.accesses.values()][0]?.times).toHaveLength(100);
    read(NOW + 2 * DAY);
    expect([...ledger.accesses.values()][0]?.times).toEqual([NOW + 2 * DAY]);
  });

  it('keeps ids from outside short in its keys', () => {
    expect(keyOf.resource(TPP, 'x'.repeat(100_000)).length).toBeLessThan(100);
    expect(keyOf.resource(TPP, 'x'.repeat(300))).not.toBe(keyOf.resource(TPP, 'x'.repeat(301)));
  });

  it('names the families that a restart may lose', () => {
    expect([...TRANSIENT_FAMILIES]).toEqual(['requestIds', 'polls']);
  });
});

describe('a ledger that shares its room with others', () => {
  const create = (ledger: LedgerState, tpp: string, id: string) =>
    take(
      ledger,
      {
        operation: 'consents.create',
        body: {},
        certificate: aCertificate({ organizationIdentifier: organisation(tpp) }),
      },
      { status: 201, body: { consentId: id, consentStatus: 'received', _links: {} } },
    );
  const filled = (count: number) => {
    const ledger = createLedger();
    for (let i = 0; i < count; i++) create(ledger, TPP, `C${i}`);
    return ledger;
  };

  it('loses the oldest of what it gains while there is no room, of the TPP that has most', () => {
    const ledger = filled(100);
    create(ledger, OTHER_TPP, 'of the other');
    ledger.isCrowded = true;
    const before = ledgerSize(ledger);
    for (let i = 0; i < 50; i++) create(ledger, TPP, `D${i}`);
    expect(ledgerSize(ledger)).toBeLessThanOrEqual(before + 1);
    const held = (tpp: string, id: string) => ledger.consents.has(keyOf.resource(tpp, id));
    expect([held(TPP, 'C0'), held(TPP, 'D49'), held(OTHER_TPP, 'of the other')]).toEqual([false, true, true]);
  });

  it('remembers, in the store too, that it does not know all any more, and nobody is blamed', () => {
    const ledger = filled(100);
    expect([isWhole(ledger, 'consents'), isPartial(ledger)]).toEqual([true, false]);
    ledger.isCrowded = true;
    const changes = create(ledger, TPP, 'D');
    expect([isWhole(ledger, 'consents'), isPartial(ledger)]).toEqual([false, true]);
    expect(changes.filter(({ family }) => family === 'dropped')).toEqual([
      { family: 'dropped', key: TPP, fact: { tpp: TPP, at: NOW } },
    ]);
    const again = createLedger(
      [...ledger.consents, ...ledger.dropped].map(([key, fact]) => ({
        family: 'status' in fact ? 'consents' : 'dropped',
        key,
        fact,
      })),
    );
    expect(isWhole(again, 'consents')).toBe(false);
    for (let i = 0; i < 20; i++)
      expect(create(ledger, TPP, `E${i}`).some(({ family }) => family === 'dropped')).toBe(false);
  });

  it('that holds next to nothing loses nothing', () => {
    const ledger = Object.assign(createLedger(), { isCrowded: true });
    for (let i = 0; i < 16; i++) create(ledger, TPP, `C${i}`);
    expect([ledger.consents.size, isPartial(ledger)]).toEqual([16, false]);
  });
});
