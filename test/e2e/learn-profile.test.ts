/** A bank that deviates, recorded in a session: its profile is learned out of what was recorded. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Proposal } from '../../src/app/bank-profile/index.js';
import { DEVIATION_KINDS, type DeviationKind } from '../../src/spec/index.js';
import { sandgate } from '../cli/run-command.js';
import { folderOfTest } from '../folder.js';
import { startTestGateway, VERIFIER } from './harness.js';

const RULES: Readonly<Record<DeviationKind, string>> = {
  'amounts-as-numbers': 'answers/amounts-are-strings',
  'date-times-without-offset': 'answers/date-times-have-offset',
  'no-location': 'answers/location-present',
  'no-request-id': 'answers/request-id-echoed',
  'no-self-link': 'answers/creation-links',
  'no-links': 'answers/body-well-formed',
  'relative-links': 'answers/links-are-reachable',
};

const PAYMENT = {
  instructedAmount: { currency: 'EUR', amount: '1.00' },
  ...{ debtorAccount: { iban: 'BE71096123456769' }, creditorAccount: { iban: 'DE89370400440532013000' } },
  ...{ creditorName: 'Fietsen Roeland', remittanceInformationUnstructured: 'Invoice 1' },
};

/** Relative links are right by the standard, so nothing is to be learned of them. */
const KINDS = DEVIATION_KINDS.filter((kind) => kind !== 'relative-links');

it.each(KINDS)(
  'what the emulator does wrong by %s is learned, accepted, and known from then on',
  async (emulate) => {
    const folder = folderOfTest();
    const head = {
      ...{ name: 'odd-bank', title: 'Odd Bank', standard: 'Berlin Group 1.3.8' },
      sources: [{ where: 'this test', tells: 'everything' }],
    };
    const fileOf = (name: string, profile: object): string => {
      writeFileSync(join(folder, name), JSON.stringify({ ...head, ...profile }));
      return join(folder, name);
    };
    const rule = RULES[emulate];
    const deviations = [{ id: 'one', rule, says: 'It does.', sample: 'As seen.', emulate }];
    const store = join(folder, 'odd.db');
    const odd = await startTestGateway({ bankProfile: fileOf('odd.json', { deviations }), store });
    try {
      const form = { grant_type: 'authorization_code', client_id: 'VALID_CLIENT_ID', code: 'AIS_VALID_CODE' };
      const token = await odd.call('/stdgroup/v1/token', { form: { ...form, code_verifier: VERIFIER } });
      const headers = odd.accountHeaders(token.json?.access_token);
      const { json } = await odd.call('/stdgroup/v1/accounts?withBalance=true', { headers });
      const [{ resourceId }] = json.accounts;
      await odd.call(`/stdgroup/v1/accounts/${resourceId}/balances`, {
        headers: odd.accountHeaders(token.json?.access_token),
      });
      await odd.call('/stdgroup/v1/payments/sepa-credit-transfers', {
        headers: { 'PSU-IP-Address': '192.0.2.1', 'TPP-Redirect-URI': 'https://tpp.example/back' },
        json: PAYMENT,
      });
      await odd.app.recorder.drain();
    } finally {
      await odd.close();
    }
    const learn = (profile: string, ...more: string[]) =>
      sandgate(['bank-profile', 'learn', 'test', '--store', store, '--bank-profile', profile, ...more]);
    const plain = fileOf('plain.json', {});
    const proposals: Proposal[] = JSON.parse((await learn(plain, '--json')).out);
    const found = proposals.filter(({ change }) => JSON.stringify(change).includes(`"rule":"${rule}"`));
    expect(found.length, JSON.stringify(proposals)).toBeGreaterThan(0);
    const learned = join(folder, 'learned.json');
    const ids = found.map(({ id }) => id);
    expect((await learn(plain, '--accept', ids.join(), '--out', learned)).status).toBe(0);
    const after: Proposal[] = JSON.parse((await learn(learned, '--json')).out);
    expect(after.filter(({ id }) => ids.includes(id))).toEqual([]);
  },
);
