/** The limits and scopes of a bank profile, in the answers of both banks and in what the ledger takes from them. */
import { describe, expect, it } from 'vitest';
import { type BankProfile, bankDateAt, SANDBOX } from '../../src/spec/index.js';
import { aProfile } from '../builders.js';
import { jsonOf } from './an-emulator.js';
import { aLivingBank } from './living/a-living-bank.js';

const DAY = 86_400_000;

type Limits = NonNullable<BankProfile['limits']>;

const open = (limits: Limits, isSandbox: boolean) => {
  const profile = aProfile({ access: { bearer: 'none' }, sca: { approaches: ['embedded'] }, limits });
  return aLivingBank({ bankProfile: profile, isSandbox });
};
const HEADERS = { 'PSU-IP-Address': '192.0.2.7' };

describe.each<[string, Limits, number, number]>([
  ['of 180 days and six accesses', { consentDays: 180, accesses: { number: 6 } }, 180, 6],
  ['of a day and one access', { consentDays: 1, accesses: { number: 1 } }, 1, 1],
  ['of ten years and a thousand accesses', { consentDays: 3650, accesses: { number: 1000 } }, 3650, 1000],
  ['that say nothing', {}, 90, 4],
])('limits %s', (_, limits, days, accesses) => {
  it('are those of a consent of the living bank that asks for all it can get', () => {
    const bank = open(limits, false);
    const body = {
      ...{ access: { allPsd2: 'allAccounts' }, recurringIndicator: true, combinedServiceIndicator: false },
      ...{ validUntil: '9999-12-31', frequencyPerDay: accesses },
    };
    const created = bank.ask({ operation: 'consents.create', headers: HEADERS, body });
    const { consentId } = jsonOf(created);
    const read = jsonOf(bank.ask({ operation: 'consents.read', params: { consentId } }));
    expect(read).toMatchObject({
      validUntil: bankDateAt(bank.now + days * DAY),
      frequencyPerDay: accesses,
    });
    expect(jsonOf(created).validUntil).toBeUndefined();
    expect(bank.findings).toEqual([]);
  });

  it('are those of a consent of the sandbox bank', () => {
    const bank = open(limits, true);
    const read = bank.ask({ operation: 'consents.read', params: { consentId: SANDBOX.validConsent } });
    expect(jsonOf(read)).toMatchObject({
      validUntil: bankDateAt(bank.now + days * DAY),
      frequencyPerDay: accesses,
    });
  });

  it('let as many reads without the PSU pass, and one more not', () => {
    const bank = open({ ...limits, accesses: { ...limits.accesses, by: 'consent' } }, true);
    const read = () =>
      bank.ask({ operation: 'accounts.list', headers: { 'Consent-ID': SANDBOX.validConsent } }).status;
    const statuses = Array.from({ length: accesses + 1 }, read);
    expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([accesses, 429]);
  });
});

it.each([true, false])('the history of a bank is as long as its profile says (sandbox: %s)', (isSandbox) => {
  for (const [historyDays, ago, expected] of [
    [30, 31, 'CONSENT_EXPIRED'],
    [400, 399, undefined],
  ] as const) {
    const bank = open({ historyDays }, isSandbox);
    let consent: string = SANDBOX.validConsent;
    let account: string = SANDBOX.accountId;
    if (!isSandbox) {
      const body = {
        ...{ access: { allPsd2: 'allAccounts' }, recurringIndicator: true, combinedServiceIndicator: false },
        ...{ validUntil: bankDateAt(bank.now + 80 * DAY), frequencyPerDay: 4 },
      };
      const headers = { ...HEADERS, 'PSU-ID': 'user1' };
      consent = jsonOf(bank.ask({ operation: 'consents.create', headers, body })).consentId;
      const started = bank.ask({
        ...{ operation: 'consents.authorisations.create', params: { consentId: consent }, headers },
        body: { psuData: { password: 'secret' } },
      });
      bank.sca(jsonOf(started).authorisationId, 'psu-1');
      bank.now += DAY;
      bank.ask({ operation: 'consents.status', params: { consentId: consent } });
      const list = bank.ask({
        operation: 'accounts.list',
        headers: { 'Consent-ID': consent, 'PSU-IP-Address': '192.0.2.7' },
      });
      account = jsonOf(list).accounts[0].resourceId;
    }
    const answer = bank.ask({
      ...{ operation: 'accounts.transactions', params: { accountId: account } },
      query: `bookingStatus=booked&dateFrom=${bankDateAt(bank.now - ago * DAY)}`,
      headers: { 'Consent-ID': consent, 'PSU-IP-Address': '192.0.2.7' },
    });
    // The sandbox has a consent of its own for a history that is over.
    if (!isSandbox) expect(jsonOf(answer).tppMessages?.[0].code).toBe(expected);
    expect(bank.findings).toEqual([]);
  }
});
