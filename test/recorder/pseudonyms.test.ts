/** People are not to be recognised in what a recorder keeps, nor in what is said of it, while rules judge what was sent. */
import { describe, expect, it } from 'vitest';
import { createPseudonyms } from '../../src/exchange/index.js';
import { createRecorder } from '../../src/recorder/index.js';
import type { Finding } from '../../src/rules/index.js';
import { fingerprint, NOW, TPP, unwatched } from '../builders.js';
import { aStore, factsIn, recordSource } from '../store/stores.js';

const IBAN = 'BE68539007547034';

async function record(pseudonymise: boolean) {
  const store = aStore();
  const pseudonyms = createPseudonyms(store.fingerprintKey);
  const recorder = createRecorder({
    store,
    fingerprint,
    ...unwatched,
    ...(pseudonymise ? { pseudonyms } : {}),
  });
  const next = recordSource();
  const body = { debtorAccount: { iban: IBAN }, creditorName: 'Wilhelmina' };
  const first = next({ call: { operation: 'payments.create', body } });
  const second = next({
    call: { operation: 'accounts.list' },
    answer: { body: { accounts: [{ iban: IBAN, ownerName: 'Wilhelmina' }] } },
  });
  const finding: Finding = {
    rule: 'payments/text-lengths',
    severity: 'should',
    judges: 'tpp',
    place: 'body creditorName',
    expected: 'at most 70 characters',
    actual: `Wilhelmina, of ${IBAN}`,
  };
  const fact = { tpp: TPP, consentId: 'C1', operation: 'accounts.read', accountId: IBAN, times: [NOW] };
  await recorder.take(first.exchange, { verdicts: {}, findings: [finding] }, [
    { family: 'accesses', key: `C1 ${IBAN}`, fact },
  ]);
  await recorder.take(second.exchange, { verdicts: {}, findings: [] });
  return { kept: [...store.read('test')], ledger: await factsIn(store), pseudonyms };
}

describe('a recorder with pseudonyms', () => {
  it('keeps nobody, in exchanges, findings and facts', async () => {
    const { kept, ledger, pseudonyms } = await record(true);
    const text = JSON.stringify({ kept, ledger });
    expect([text.includes(IBAN), text.includes('Wilhelmina')]).toEqual([false, false]);
    const iban = pseudonyms.iban(IBAN);
    expect(kept[0]?.findings[0]?.actual).toBe(`${pseudonyms.name('Wilhelmina')}, of ${iban}`);
    expect(ledger).toMatchObject([{ key: `C1 ${iban}`, fact: { accountId: iban } }]);
    // The same account is the same one throughout.
    for (const { exchange } of kept) expect(JSON.stringify(exchange)).toContain(iban);
  });

  it('is one only where it is asked to be', async () => {
    const { kept, ledger } = await record(false);
    const text = JSON.stringify({ kept, ledger });
    expect([text.includes(IBAN), text.includes('Wilhelmina')]).toEqual([true, true]);
  });
});
