/** What a report says is missing for production, and what was not tested. */
import { describe, expect, it } from 'vitest';
import type { Gap, Report } from '../../src/report/index.js';
import { aCertificate, NOW, OTHER_TPP, TPP } from '../builders.js';
import { authorizeWith } from '../rules/requests-of.js';
import { aStore } from '../store/stores.js';
import { type RecordingParts, record, reportOf, type Sent, VALID } from './a-recording.js';

async function reportOn(sent: readonly Sent[], parts: RecordingParts = {}): Promise<Report> {
  const store = aStore({ path: ':memory:' });
  record(store, sent, parts);
  return reportOf(store);
}

const first = new Date(NOW + 2_000).toISOString();
const consentOf = (headers: Record<string, string | undefined>): Sent => ({
  call: { operation: 'consents.status', params: { consentId: 'c-1' }, headers },
  answer: { body: { consentStatus: 'valid' } },
});
const qualified = aCertificate({ issuer: 'CN=Qualified CA, O=Trust SA' });
const with_ = (certificate: typeof qualified): Sent => ({
  call: { operation: 'accounts.list', certificate, headers: { 'Consent-Id': 'c-1' } },
  answer: { body: { accounts: [] } },
});

describe('a gap', () => {
  it.each<[Gap['kind'], string, Sent, Partial<Gap>]>([
    [
      'sandbox-id',
      'fixed consent id',
      { call: { operation: 'consents.read' }, answer: { body: { consentStatus: 'valid' } } },
      {
        what: 'Fixed consent ids of the sandbox were used: VALID_CONSENT_ID.',
        ...{ times: 1, since: first, tpp: TPP },
      },
    ],
    [
      'sandbox-id',
      'fixed code in a form',
      {
        call: {
          operation: 'oauth.token',
          form: { grant_type: 'authorization_code', code: 'AIS_VALID_CODE', client_id: TPP },
        },
        answer: { body: { access_token: 'a', token_type: 'Bearer', expires_in: 60 } },
      },
      { what: 'Fixed authorisation codes of the sandbox were used: AIS_VALID_CODE.', tpp: TPP },
    ],
    [
      'sandbox-client',
      'client id of the sandbox',
      { call: authorizeWith({ client_id: 'VALID_CLIENT_ID' }), answer: { status: 302 } },
      { what: 'The fixed client id of the sandbox was used (VALID_CLIENT_ID).', times: 1 },
    ],
    [
      'http-redirect',
      'http address of a creation',
      {
        call: {
          operation: 'consents.create',
          headers: { 'TPP-Redirect-URI': 'http://tpp.example/cb' },
          body: {},
        },
        answer: { status: 400, body: {} },
      },
      { rule: 'requests/redirect-uri-secure', times: 1 },
    ],
    [
      'http-redirect',
      'http address of an authorisation',
      { call: authorizeWith({ redirect_uri: 'http://127.0.0.1:3000/cb' }), answer: { status: 302 } },
      { times: 1 },
    ],
    [
      'empty-state',
      'empty state',
      { call: authorizeWith({ state: '' }), answer: { status: 302 } },
      { rule: 'oauth/authorize-parameters' },
    ],
    [
      'graver',
      'rule that is graver in production',
      consentOf({ 'X-Request-ID': undefined }),
      {
        rule: 'requests/request-id-present',
        what: expect.stringMatching(
          /^Violated, and judged more severely in production \(must; here should\): X-Request-ID is present.*[^.]\.$/,
        ),
      },
    ],
    ['test-certificate', 'CA of tests', consentOf({}), { times: 1, tpp: TPP, since: first }],
    [
      'missing-role',
      'role that is missing',
      with_(aCertificate({ roles: [{ oid: '0.4.0.19495.1.2', name: 'PSP_PI', role: 'PSP_PI' }] })),
      { rule: 'certificate/role-covers-operation', tpp: TPP },
    ],
    [
      'no-bank',
      'emulator alone',
      { call: { operation: 'consents.read' }, answer: { source: 'emulator', body: {} } },
      { times: 0 },
    ],
    [
      'untried',
      'operation that was never tried',
      consentOf({}),
      {
        what: expect.stringMatching(/^Never tried, consents: Creates a consent; Returns the consent;/),
        times: 0,
      },
    ],
  ])('%s is told of a %s', async (kind, _, sent, expected) => {
    const { gaps } = await reportOn([sent]);
    const found = gaps.filter((gap) => gap.kind === kind);
    expect(found).toContainEqual(expect.objectContaining(expected));
    for (const { what, mend } of found) {
      expect(what).toMatch(/^\p{Lu}.*\.$/u);
      expect(mend).toMatch(/^\p{Lu}.*\.$/u);
      expect(`${what} ${mend}`, 'no ids of rules').not.toMatch(/\b[a-z]+\/[a-z]+-[a-z-]+\b/);
    }
  });

  it.each<[Gap['kind'], string, Sent, RecordingParts]>([
    ['no-bank', 'a bank that answered', consentOf({}), {}],
    ['test-certificate', 'a certificate of a provider', with_(qualified), {}],
    ['missing-role', 'a certificate with its roles', with_(qualified), {}],
    [
      'graver',
      'a rule that was judged as in production',
      consentOf({ 'X-Request-ID': undefined }),
      { profile: 'production' },
    ],
    [
      'graver',
      'a finding that is waived',
      consentOf({ 'X-Request-ID': undefined }),
      { waivers: [{ rule: 'requests/request-id-present', reason: 'known', until: '2999-01-01' }] },
    ],
    [
      'http-redirect',
      'an https address',
      { call: authorizeWith({ redirect_uri: 'https://tpp.example/cb' }), answer: { status: 302 } },
      {},
    ],
  ])('%s is not told of %s', async (kind, _, sent, parts) => {
    const { gaps } = await reportOn([sent], parts);
    expect(gaps.filter((gap) => gap.kind === kind)).toEqual([]);
  });

  it('is counted by calls, for each TPP apart', async () => {
    const other = aCertificate({
      fingerprint256: 'cd'.repeat(32),
      organizationIdentifier: {
        text: OTHER_TPP,
        scheme: 'PSD',
        country: 'DE',
        authority: 'BAFIN',
        number: '987654',
      },
    });
    const read: Sent = {
      call: { operation: 'consents.read' },
      answer: { body: { consentId: 'VALID_CONSENT_ID' } },
    };
    const { gaps } = await reportOn([read, { ...read, call: { ...read.call, certificate: other } }, read]);
    expect(gaps.filter(({ kind }) => kind === 'sandbox-id').map(({ tpp, times }) => [tpp, times])).toEqual([
      [TPP, 2],
      [OTHER_TPP, 1],
    ]);
  });

  it('is none of operations that no role of the TPP allows', async () => {
    const roles = [{ oid: '0.4.0.19495.1.3', name: 'PSP_AI', role: 'PSP_AI' }];
    const { gaps, notTested } = await reportOn([with_(aCertificate({ roles }))]);
    for (const what of [...gaps, ...notTested].map((one) => one.what))
      expect(what).not.toMatch(/, payments:/);
  });
});

describe('what was not tested', () => {
  const whats = async (sent: readonly Sent[]) =>
    (await reportOn(sent)).notTested.map(({ what }) => what).join('\n');

  it.each<[string, readonly Sent[], RegExp]>([
    ['bank', [{ call: {}, answer: { source: 'replay', body: {} } }], /^No bank answered\.$/m],
    ['operations', VALID, /^Never called, payments: Returns the payment; .*\.$/m],
    ['outcomes of an authorisation', VALID, /^No customer refused an authorisation, and none failed\.$/m],
    ['failures of the bank', VALID, /^Nothing failed on the other side: /m],
    ['the daily limit', VALID, /^The daily limit of reads without the customer was never reached\.$/m],
    ['renewal of tokens', VALID.slice(0, 3), /^No access token was renewed\.$/m],
    ['families of rules', VALID, /^Nothing was tested about signatures/m],
    ['rules', VALID, /^Rules that applied to no call: \d+ of \d+ about certificates, /m],
  ])('names %s', async (_, sent, expected) => {
    expect(await whats(sent)).toMatch(expected);
  });

  it.each<[string, readonly Sent[], RegExp]>([
    ['a bank that answered', VALID, /No bank answered/],
    ['a token that was renewed', VALID, /No access token was renewed/],
    ['an answer with 500', [{ call: {}, answer: { status: 500, body: {} } }], /Nothing failed/],
    ['an answer with 429', [{ call: {}, answer: { status: 429, body: {} } }], /daily limit/],
    ['an answer with 400', [{ call: {}, answer: { status: 400, body: {} } }], /No call was refused/],
  ])('is not %s', async (_, sent, unexpected) => {
    expect(await whats(sent)).not.toMatch(unexpected);
  });

  it('fits on half a page, of an empty recording too', async () => {
    for (const sent of [[], VALID]) {
      const { notTested } = await reportOn(sent);
      expect(notTested.length).toBeLessThanOrEqual(18);
      for (const { what, why } of notTested) {
        expect(what.length).toBeLessThan(400);
        expect(why).toMatch(/^\p{Lu}.*\.$/u);
      }
    }
  });
});
