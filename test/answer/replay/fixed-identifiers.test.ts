/** An identifier that the sandbox fixes says by itself what is found under it: no recording answers for another one. */
import { describe, expect, it } from 'vitest';
import type { CallParts } from '../../builders.js';
import { aReplay, numbered } from './a-replay.js';

const bearer = (consent: string) => ({ Authorization: 'Bearer t', 'Consent-Id': consent });
const payment = (paymentId: string): CallParts => ({ operation: 'payments.status', params: { paymentId } });
const consent = (consentId: string): CallParts => ({ operation: 'consents.status', params: { consentId } });
const remove = (consentId: string): CallParts => ({ operation: 'consents.delete', params: { consentId } });
const accounts = (id: string): CallParts => ({ operation: 'accounts.list', headers: bearer(id) });
const account = (accountId: string): CallParts => ({
  operation: 'accounts.balances',
  params: { accountId },
  headers: bearer('C'),
});
const sca = (authorisationId: string): CallParts => ({
  operation: 'consents.authorisations.read',
  params: { consentId: 'C', authorisationId },
});
const token = (code: string): CallParts => ({
  operation: 'oauth.token',
  form: { grant_type: 'authorization_code', code, client_id: 'A', code_verifier: 'v' },
});
const authorise = (scope: string): CallParts => ({
  operation: 'oauth.authorize',
  query: `scope=${scope}&redirect_uri=https%3A%2F%2Ftpp.example%2Fback&state=s&response_type=code`,
});

const rows: readonly (readonly [name: string, recorded: CallParts, sent: CallParts])[] = [
  ['a payment', payment('PAYMENT_ID_ACSC_SCT'), payment('PAYMENT_ID_RJCT_SCT')],
  ['a payment of another product', payment('PAYMENT_ID_ACSC_SCT'), payment('PAYMENT_ID_ACSC_SCTI')],
  ['a consent', consent('VALID_CONSENT_ID'), consent('CONSENT_ID_REJECTED')],
  ['a consent of the client’s own', consent('VALID_CONSENT_ID'), consent('C-1')],
  ['a recorded consent of a bank', consent('C-1'), consent('VALID_CONSENT_ID')],
  ['the consent of a read', accounts('VALID_CONSENT_ID'), accounts('CONSENT_ID_EXPIRED')],
  ['an account', account('ACCOUNT_ID'), account('OTHER')],
  ['a deletion', remove('CONSENT_ID_EXPIRED'), remove('CONSENT_ID_RECEIVED')],
  [
    'an authorisation',
    sca('11111111-1111-1111-1111-111111111111'),
    sca('77777777-7777-7777-7777-777777777777'),
  ],
  ['a code', token('AIS_VALID_CODE'), token('AIS_VALID_CODE_TRANSACTION_90D_KO')],
  ['a scope', authorise('AIS:VALID_CONSENT_ID'), authorise('AIS:CONSENT_ID_NO_AUTHORIZATION')],
];

describe.each(['strict', 'psd2', 'loose'] as const)('by the preset %s', (match) => {
  it.each(rows)('%s that is not the recorded one is a miss', async (_, recorded, sent) => {
    const { ask } = aReplay([{ call: recorded, answer: numbered(1) }], { match });
    expect((await ask(sent))?.miss?.kind).toBe('differs');
    expect((await ask(recorded))?.miss).toBeNull();
  });
});

it('a scope whose way is known by its token only is not lent either', async () => {
  const given = { access_token: 'T', scope: 'AIS:VALID_CONSENT_ID' };
  const recorded = [{ call: token('CODE'), answer: { body: given } }];
  expect((await aReplay(recorded).ask(authorise('AIS:CONSENT_ID_RECEIVED')))?.miss?.kind).toBe(
    'not-recorded',
  );
  expect((await aReplay(recorded).ask(authorise('AIS:VALID_CONSENT_ID')))?.status).toBe(302);
});

describe('a deletion', () => {
  it('is never that of another consent, even where this run was not given the recorded one', async () => {
    const { ask } = aReplay([{ call: remove('C-1'), answer: { status: 204 } }]);
    const seen = await ask(remove('C-2'));
    expect(seen?.miss?.closest?.differences).toEqual([
      { place: 'path consentId', expected: 'C-1', got: 'C-2' },
    ]);
    expect((await ask(remove('C-1')))?.status).toBe(204);
  });

  it('of a consent that this run has named before is the recorded one', async () => {
    const { ask } = aReplay([
      { call: consent('C-1'), answer: numbered(1) },
      { call: remove('C-1'), answer: { status: 204 } },
    ]);
    expect((await ask(consent('C-2')))?.json.n).toBe(1);
    expect((await ask(remove('C-2')))?.status).toBe(204);
  });
});
