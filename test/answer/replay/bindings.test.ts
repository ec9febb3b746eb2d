/** Values that differ from run to run: recognised where a client sends them, and carried into what it is answered. */
import { describe, expect, it } from 'vitest';
import { type CallParts, fingerprint, REQUEST_ID } from '../../builders.js';
import { aReplay, numbered, type Recorded, URLS } from './a-replay.js';

const OWN_ID = '11111111-1111-4111-8111-111111111111';
const ofConsent = (operation: 'consents.read' | 'consents.status') => (id: string) =>
  ({ operation, params: { consentId: encodeURIComponent(id) } }) satisfies CallParts;
const read = ofConsent('consents.read');
const status = ofConsent('consents.status');

describe('the X-Request-ID', () => {
  const recorded = (answered: string, n: number): Recorded => ({
    call: read('RECORDED'),
    answer: { headers: { 'X-Request-ID': answered }, body: { n } },
  });
  const answered = async (by: string, sent: string | undefined) => {
    const { ask } = aReplay([recorded(by, 1)]);
    const seen = await ask({ ...read('RECORDED'), headers: { 'X-Request-ID': sent } });
    return seen?.answer.header['x-request-id'];
  };

  it.each([
    ['of the call is echoed where the bank echoed it', REQUEST_ID, OWN_ID, OWN_ID],
    ['is echoed where the bank wrote it in capitals', REQUEST_ID.toUpperCase(), OWN_ID, OWN_ID],
    ['that the bank made up stays', OWN_ID, REQUEST_ID, OWN_ID],
    ['that a call leaves out is the recorded one', REQUEST_ID, undefined, REQUEST_ID],
  ])('%s', async (_, by, sent, wanted) => {
    expect(await answered(by, sent)).toBe(wanted);
  });
});

describe('an id that this run has of its own', () => {
  const recorded: Recorded[] = [
    {
      call: status('RECORDED'),
      answer: {
        headers: { Location: 'https://bank.example/stdgroup/v1/consents/RECORDED?x=RECORDED' },
        body: {
          id: 'RECORDED',
          within: 'a RECORDED one',
          scope: 'AIS:RECORDED',
          longer: 'RECORDED2',
          _links: { self: { href: '/stdgroup/v1/consents/RECORDED/status' } },
        },
      },
    },
    { call: read('RECORDED'), answer: { body: { consentId: 'RECORDED' } } },
  ];

  it('stands for the recorded one in bodies, links and headers', async () => {
    const seen = await aReplay(recorded).ask(status('own id/1'));
    expect(seen?.json).toEqual({
      id: 'own id/1',
      within: 'a RECORDED one',
      scope: 'AIS:own id/1',
      longer: 'RECORDED2',
      _links: { self: { href: '/stdgroup/v1/consents/own%20id%2F1/status' } },
    });
    expect(seen?.answer.header.location).toBe(`${URLS.api}/stdgroup/v1/consents/own%20id%2F1?x=own%20id%2F1`);
  });

  it('is recognised in later calls, and nobody else has it', async () => {
    const { ask } = aReplay(recorded);
    await ask(status('OWN'));
    expect((await ask(read('OTHER')))?.miss?.kind).toBe('differs');
    expect((await ask(read('OWN')))?.json).toEqual({ consentId: 'OWN' });
  });

  it('is the same in a header', async () => {
    const accounts: CallParts = {
      operation: 'accounts.list',
      headers: { Authorization: 'Bearer t', 'Consent-Id': 'RECORDED' },
    };
    const { ask } = aReplay([...recorded, { call: accounts, answer: numbered(1) }]);
    await ask(status('OWN'));
    const own = { ...accounts, headers: { Authorization: 'Bearer t', 'Consent-Id': 'OWN' } };
    expect((await ask(own))?.json).toEqual({ n: 1 });
  });

  it('is text of JSON also where it holds quotes', async () => {
    const seen = await aReplay(recorded).ask(status('a"b\\c'));
    expect(seen?.json).toMatchObject({ id: 'a"b\\c' });
  });

  it.each([1, 2, 3])('takes the recorded ids in their order, the %i. too', async (count) => {
    const many = ['A', 'B', 'C'].map((id, i) => ({ call: read(id), answer: numbered(i + 1) }));
    const { ask } = aReplay(many);
    for (let n = 1; n <= count; n++) expect((await ask(read(`OWN${n}`)))?.json).toEqual({ n });
  });

  it('stands for one of the kind that other recorded values of the call allow', async () => {
    const account = (accountId: string, consent: string): CallParts => ({
      operation: 'accounts.read',
      params: { accountId },
      headers: { Authorization: 'Bearer t', 'Consent-Id': consent },
    });
    const { ask } = aReplay([
      { call: account('A1', 'C1'), answer: numbered(1) },
      { call: account('A2', 'C2'), answer: numbered(2) },
      { call: account('A3', 'C2'), answer: numbered(3) },
    ]);
    expect((await ask(account('OWN', 'C2')))?.json).toEqual({ n: 2 });
    expect((await ask(account('OWN TOO', 'C2')))?.json).toEqual({ n: 3 });
    expect((await ask(account('ONE MORE', 'C2')))?.miss?.kind).toBe('differs');
    expect((await ask(account('ONE MORE', 'C1')))?.json).toEqual({ n: 1 });
  });

  it.each(['psd2', 'loose'] as const)('may come in a header first, by %s', async (match) => {
    const accounts = (consent: string): CallParts => ({
      operation: 'accounts.list',
      headers: { Authorization: 'Bearer t', 'Consent-Id': consent },
    });
    const { ask } = aReplay([{ call: accounts('RECORDED'), answer: numbered(1) }, ...recorded], { match });
    expect((await ask(accounts('OWN')))?.json).toEqual({ n: 1 });
    expect((await ask(read('OWN')))?.json).toEqual({ consentId: 'OWN' });
  });
});

describe('an id that this run was given', () => {
  const create: CallParts = { operation: 'consents.create', body: { validUntil: '2026-08-01' } };
  const recorded: Recorded[] = [
    { call: create, answer: { status: 201, body: { consentId: 'GIVEN' } } },
    { call: read('GIVEN'), answer: numbered(1) },
  ];

  it('is the recorded one, and no other stands for it any more', async () => {
    const { ask } = aReplay(recorded);
    expect((await ask(create))?.json).toEqual({ consentId: 'GIVEN' });
    const wrong = await ask(read('ANOTHER'));
    expect(wrong?.miss).toMatchObject({ kind: 'differs', closest: { exchange: 'E2' } });
    expect(wrong?.miss?.needs).toContain('gave it in this run: send what it gave');
    expect((await ask(read('GIVEN')))?.json).toEqual({ n: 1 });
  });

  it('is not one that it was not given, even before the creation', async () => {
    const seen = await aReplay(recorded).ask(read('ANOTHER'));
    expect([seen?.answer.status, seen?.miss?.kind]).toEqual([404, 'differs']);
  });
});

describe('a token', () => {
  const form = { grant_type: 'authorization_code', client_id: 'A', code_verifier: 'v' };
  const token = (code: string): CallParts => ({ operation: 'oauth.token', form: { ...form, code } });
  const refresh = (refresh_token: string): CallParts => ({
    operation: 'oauth.token',
    form: { grant_type: 'refresh_token', client_id: 'A', refresh_token },
  });
  const accounts = (bearer: string): CallParts => ({
    operation: 'accounts.list',
    headers: { Authorization: `Bearer ${bearer}`, 'Consent-Id': 'C' },
  });
  const given = (access: string, refreshing: string) => ({
    body: { access_token: access, refresh_token: refreshing, scope: 'AIS:C' },
  });
  const [code, first, again, second] = ['code', 'first', 'again', 'second'].map(fingerprint) as [
    string,
    string,
    string,
    string,
  ];
  const recorded: Recorded[] = [
    { call: token(code), answer: given(first, again) },
    { call: accounts(first), answer: numbered(1) },
    { call: refresh(again), answer: given(second, 'next') },
    { call: accounts(second), answer: numbered(2) },
  ];

  it('is handed out as it was redacted, and taken back', async () => {
    const { ask } = aReplay(recorded);
    const one = (await ask(token(code)))?.json;
    expect(one).toMatchObject({ access_token: first, refresh_token: again });
    expect((await ask(accounts(one.access_token)))?.json).toEqual({ n: 1 });
    const two = (await ask(refresh(one.refresh_token)))?.json;
    expect((await ask(accounts(two.access_token)))?.json).toEqual({ n: 2 });
  });

  it('gives access to the same after more refreshes than were recorded in front of the call', async () => {
    const { ask } = aReplay(recorded);
    const { access_token } = (await ask(token(code)))?.json ?? {};
    expect((await ask(accounts(access_token)))?.json).toEqual({ n: 1 });
    expect((await ask(accounts(access_token)))?.json).toEqual({ n: 2 });
  });

  it.each([
    ['code', token('a code of nobody'), 400, { error: 'invalid_grant' }],
    ['refresh token', refresh('a token of nobody'), 400, { error: 'invalid_grant' }],
    ['access token', accounts('a token of nobody'), 401, { tppMessages: [{ code: 'TOKEN_UNKNOWN' }] }],
  ])('or %s that was not given out is refused as unknown, and counted', async (_, call, status, body) => {
    const { ask } = aReplay(recorded);
    const seen = await ask(call);
    expect(seen?.answer.status).toBe(status);
    expect(seen?.json).toMatchObject(body);
    expect(seen?.miss?.kind).toBe('differs');
    expect((await ask(token(code)))?.json).toMatchObject({ access_token: first });
  });

  it('in clear equals its fingerprint where the recording is of the same store', async () => {
    const { ask } = aReplay(recorded, { parts: { fingerprint } });
    expect((await ask(token('code')))?.json.access_token).toBe(first);
    expect((await ask(accounts('first')))?.json).toEqual({ n: 1 });
  });

  it('that this run was not given is a miss that shows no secret', async () => {
    const { ask } = aReplay(recorded, { parts: { fingerprint } });
    await ask(token(code));
    const seen = await ask(accounts('a-secret-of-somebody'));
    expect(seen?.miss?.kind).toBe('differs');
    expect(JSON.stringify([seen?.text, seen?.miss])).not.toContain('a-secret-of-somebody');
  });
});

describe('values of the client', () => {
  const payment = (more: object): CallParts => ({
    operation: 'payments.create',
    body: { instructedAmount: { amount: '1.00', currency: 'EUR' }, ...more },
  });
  const readPayment: CallParts = { operation: 'payments.read', params: { paymentId: 'P' } };
  const recorded: Recorded[] = [
    {
      call: payment({ endToEndIdentification: 'RECORDED-1' }),
      answer: { status: 201, body: { paymentId: 'P', transactionStatus: 'RCVD' } },
    },
    { call: readPayment, answer: { body: { endToEndIdentification: 'RECORDED-1', paymentId: 'P' } } },
  ];

  it('come back in later answers', async () => {
    const { ask } = aReplay(recorded);
    await ask(payment({ endToEndIdentification: 'OWN-7' }));
    expect((await ask(readPayment))?.json).toEqual({ endToEndIdentification: 'OWN-7', paymentId: 'P' });
  });

  it('of the newest call count', async () => {
    const { ask } = aReplay(recorded, { afterLast: 'repeat' });
    for (const own of ['OWN-1', 'OWN-2']) {
      await ask(payment({ endToEndIdentification: own }));
      expect((await ask(readPayment))?.json.endToEndIdentification).toBe(own);
    }
  });

  const authorise = (redirect: string, state: string): CallParts => ({
    operation: 'oauth.authorize',
    query: new URLSearchParams({
      ...{ scope: 'AIS:C', client_id: 'A', response_type: 'code', code_challenge: state },
      ...{ redirect_uri: redirect, state },
    }).toString(),
  });
  const back = (location: string): Recorded => ({
    call: authorise('https://recorded.example/back', 'recorded state'),
    answer: { status: 302, headers: { Location: location } },
  });

  it.each([
    ['the code', 'code=CODE&state=recorded+state', 'code=CODE&state=own+state'],
    [
      'an error',
      'error=access_denied&error_description=no&state=recorded+state',
      'error=access_denied&error_description=no&state=own+state',
    ],
  ])('redirect_uri and state are those of this run, with the recorded outcome: %s', async (_, was, is) => {
    const { ask } = aReplay([back(`https://recorded.example/back?${was}`)]);
    const seen = await ask(authorise('https://own.example/cb?from=bank', 'own state'));
    expect(seen?.status).toBe(302);
    const location = new URL(seen?.answer.header.location ?? '');
    expect(location.origin + location.pathname).toBe('https://own.example/cb');
    expect(location.searchParams.get('from')).toBe('bank');
    location.searchParams.delete('from');
    expect(location.search.slice(1)).toBe(is);
  });

  it.each(['javascript:alert(1)', 'own.example/cb', '/relative', ''])(
    'a redirect_uri to nowhere good gets a page instead: %j',
    async (uri) => {
      const { ask } = aReplay([back('https://recorded.example/back?code=CODE')]);
      const seen = await ask(authorise(uri, 's'));
      expect([seen?.status, seen?.answer.header.location]).toEqual([400, undefined]);
    },
  );

  it('an error goes to the address that this run named at the creation, as it did in the recording', async () => {
    const create = (nok: string): CallParts => ({
      operation: 'consents.create',
      body: { validUntil: '2026-08-01' },
      headers: { 'TPP-Redirect-URI': 'https://x.example/ok', 'TPP-Nok-Redirect-URI': nok },
    });
    const { ask } = aReplay([
      { call: create('https://recorded.example/nok'), answer: { status: 201, body: { consentId: 'C' } } },
      back('https://recorded.example/nok?error=access_denied&state=recorded+state'),
    ]);
    await ask(create('https://own.example/nok'));
    const seen = await ask(authorise('https://own.example/cb', 'own'));
    expect(seen?.answer.header.location).toBe('https://own.example/nok?error=access_denied&state=own');
  });
});

describe('links', () => {
  const recorded = (_links: object): Recorded[] => [
    {
      call: { ...read('C'), headers: { host: 'api.bank.example' } },
      answer: { body: { _links } },
    },
  ];

  it.each([
    ['scaStatus', 'https://api.bank.example/stdgroup/v1/consents/C', `${URLS.api}/stdgroup/v1/consents/C`],
    ['self', 'https://other.example/base/stdgroup/v1/accounts', `${URLS.api}/stdgroup/v1/accounts`],
    ['self', '/stdgroup/v1/consents/C', '/stdgroup/v1/consents/C'],
    ['scaOAuth', 'https://auth.bank.example/oauth/start?id=1', `${URLS.psu}/oauth/start?id=1`],
    [
      'scaRedirect',
      'https://bank.example/stdgroup/authorization/authorize/1',
      `${URLS.psu}/stdgroup/authorization/authorize/1`,
    ],
    ['logo', 'https://cdn.example/logo.png', 'https://cdn.example/logo.png'],
    ['else', 'https://api.bank.example/elsewhere', `${URLS.api}/elsewhere`],
  ])('%s to %s lead to %s', async (name, href, wanted) => {
    const seen = await aReplay(recorded({ [name]: { href } })).ask(read('C'));
    expect(seen?.json._links[name].href).toBe(wanted);
  });
});
