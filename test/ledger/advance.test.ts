import { describe, expect, it } from 'vitest';
import { homeOf } from '../../src/bank/index.js';
import {
  advance,
  applyChanges,
  authorisationOf,
  codeOf,
  consentOf,
  createLedger,
  FactFamily,
  keyOf,
  type LedgerFamily,
  type LedgerState,
  paymentOf,
  UNOBSERVED_TPP,
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

const AUTHORISATION = '22222222-2222-2222-2222-222222222222';
const DISCOVERY = `https://bank/stdgroup/.well-known/openid-configuration?authorizationId=${AUTHORISATION}`;
const DIRECT = `https://bank/stdgroup/authorization/authorize/${AUTHORISATION}`;
const SCA_STATUS = `/stdgroup/v1/consents/C1/authorisations/${AUTHORISATION}`;

type Step = readonly [CallParts, (AnswerParts | null)?];

/** A ledger after these exchanges, a second apart. */
function ledgerAfter(...steps: readonly Step[]): LedgerState {
  const ledger = createLedger();
  let at = NOW;
  for (const [call, answer = {}] of steps) {
    applyChanges(ledger, advance(ledger, anExchange({ call: { at, ...call }, answer }), fingerprint));
    at += 1_000;
  }
  return ledger;
}

function consentCreation(parts: CallParts = {}, body: object = {}, href = DISCOVERY): Step {
  return [
    {
      operation: 'consents.create',
      headers: {
        'TPP-Redirect-URI': 'https://tpp/cb',
        'TPP-Nok-Redirect-URI': 'https://tpp/nok',
        ...parts.headers,
      },
      body: { validUntil: '2026-09-01', recurringIndicator: true, frequencyPerDay: 3 },
    },
    {
      status: 201,
      body: {
        consentStatus: 'received',
        consentId: 'C1',
        _links: { scaOAuth: { href }, scaStatus: { href: SCA_STATUS }, self: { href: '/c' } },
        ...body,
      },
    },
  ];
}

const paymentCreation: Step = [
  { operation: 'payments.create', params: { paymentProduct: 'cross-border-payments' }, body: {} },
  {
    status: 201,
    body: { transactionStatus: 'RCVD', paymentId: 'P1', _links: { scaOAuth: { href: DIRECT } } },
  },
];

const QUERY =
  'response_type=code&client_id=VALID_CLIENT_ID&scope=AIS:C1&state=s1&redirect_uri=https://tpp/cb&code_challenge=ch1';

const discoveryRead: Step = [{ operation: 'oauth.discovery', query: `authorizationId=${AUTHORISATION}` }];
/** The same step with another certificate, or at another time. */
function withCall([call, answer = {}]: Step, parts: CallParts): Step {
  return [{ ...call, ...parts }, answer];
}
const otherCertificate = aCertificate({ organizationIdentifier: organisation(OTHER_TPP) });

function authorize(answer: AnswerParts, query = QUERY): Step {
  return [{ operation: 'oauth.authorize', params: { authorisationId: AUTHORISATION }, query }, answer];
}
const sentBack = (query: string): AnswerParts => ({
  status: 302,
  headers: { Location: `https://tpp/cb?${query}&state=s1` },
});

const token: AnswerParts = {
  body: {
    access_token: 'access-1',
    token_type: 'Bearer',
    expires_in: 600,
    refresh_token: 'refresh-1',
    scope: 'AIS:C1',
  },
};
const exchangeCode: Step = [
  { operation: 'oauth.token', form: { grant_type: 'authorization_code', code: 'code-1', client_id: 'x' } },
  token,
];

describe('creations', () => {
  it('teach a consent with what its later calls are held against', () => {
    const ledger = ledgerAfter(consentCreation());
    expect(consentOf(ledger, TPP, 'C1')).toEqual({
      id: 'C1',
      tpp: TPP,
      createdAt: NOW,
      implicit: true,
      redirectUri: 'https://tpp/cb',
      nokRedirectUri: 'https://tpp/nok',
      link: 'discovery',
      authorisations: [AUTHORISATION],
      status: 'received',
      statusAt: NOW,
      validUntil: '2026-09-01',
      recurring: true,
      frequencyPerDay: 3,
      accounts: null,
    });
    expect(authorisationOf(ledger, AUTHORISATION)).toEqual({
      id: AUTHORISATION,
      tpp: TPP,
      scope: 'AIS:C1',
      status: 'received',
      link: 'discovery',
      redirectUri: 'https://tpp/cb',
      nokRedirectUri: 'https://tpp/nok',
      discoveryReadAt: null,
    });
    expect(consentOf(ledger, OTHER_TPP, 'C1')).toBeUndefined();
  });

  it('teach a payment with the spelling of its product', () => {
    const ledger = ledgerAfter(paymentCreation);
    expect(paymentOf(ledger, TPP, 'P1')).toMatchObject({
      product: 'cross-border-payments',
      status: 'RCVD',
      implicit: true,
      link: 'direct',
      authorisations: [AUTHORISATION],
    });
    expect(authorisationOf(ledger, AUTHORISATION)?.scope).toBe('PIS:P1');
  });

  it.each([
    ['the header is true', { headers: { 'TPP-Explicit-Authorisation-Preferred': 'true' } }, {}],
    ['the answer holds no link to an authorisation', {}, { _links: { startAuthorisation: { href: '/x' } } }],
  ])('are explicit where %s', (_, call, body) => {
    expect(consentOf(ledgerAfter(consentCreation(call, body)), TPP, 'C1')?.implicit).toBe(false);
  });

  it('read the authorisation from a discovery link alone', () => {
    const ledger = ledgerAfter(consentCreation({}, { _links: { scaOAuth: { href: DISCOVERY } } }));
    expect(consentOf(ledger, TPP, 'C1')?.authorisations).toEqual([AUTHORISATION]);
  });

  it('replace what an older creation with the same literal id taught', () => {
    const ledger = ledgerAfter(
      consentCreation(),
      discoveryRead,
      authorize(sentBack('code=code-1')),
      consentCreation({ headers: { 'TPP-Redirect-URI': 'https://tpp/other' } }),
    );
    expect(ledger.consents.size).toBe(1);
    expect(consentOf(ledger, TPP, 'C1')?.redirectUri).toBe('https://tpp/other');
    expect(authorisationOf(ledger, AUTHORISATION)?.discoveryReadAt).toBeNull();
  });

  it('leave a flow that is still on its way its discovery read, where both have the same literal id', () => {
    const sideBySide = ledgerAfter(consentCreation(), discoveryRead, consentCreation());
    expect(authorisationOf(sideBySide, AUTHORISATION)).toMatchObject({
      discoveryReadAt: null,
      openReads: [NOW + 1_000],
    });
    const goneOn = ledgerAfter(consentCreation(), discoveryRead, consentCreation(), authorize({}));
    expect(authorisationOf(goneOn, AUTHORISATION)?.openReads).toEqual([]);
    const longAfter = withCall(consentCreation(), { at: NOW + 60_000 });
    const abandoned = ledgerAfter(consentCreation(), discoveryRead, longAfter);
    expect(authorisationOf(abandoned, AUTHORISATION)).not.toHaveProperty('openReads');
  });

  it('of several TPPs are kept apart where the sandbox gives all the same authorisation id', () => {
    const byOther = withCall(consentCreation(), { certificate: otherCertificate });
    const ledger = ledgerAfter(consentCreation(), discoveryRead, byOther);
    expect(authorisationOf(ledger, AUTHORISATION)).toMatchObject({ tpp: OTHER_TPP, shared: true });
    expect(authorisationOf(ledger, AUTHORISATION, TPP)?.discoveryReadAt).toBe(NOW + 1_000);
    expect(authorisationOf(ledger, AUTHORISATION, OTHER_TPP)?.discoveryReadAt).toBeNull();
    const authorised = ledgerAfter(
      consentCreation(),
      byOther,
      authorize(sentBack('code=c'), QUERY.replace('VALID_CLIENT_ID', TPP)),
    );
    expect(authorisationOf(authorised, AUTHORISATION, TPP)?.status).toBe('finalised');
    expect(authorisationOf(authorised, AUTHORISATION, OTHER_TPP)?.status).toBe('received');
    expect(consentOf(authorised, OTHER_TPP, 'C1')?.status).toBe('received');
  });

  it('of one TPP change nothing that others look at, once two got the same authorisation id', () => {
    const byOther = withCall(consentCreation(), { certificate: otherCertificate });
    const ledger = ledgerAfter(consentCreation(), byOther);
    for (const [call, answer = {}] of [byOther, consentCreation(), discoveryRead]) {
      const changes = advance(ledger, anExchange({ call, answer }), fingerprint);
      const homes = changes.flatMap(({ family, key, fact }) => (fact ? [homeOf(family, key, fact)] : []));
      expect(new Set(homes)).toEqual(new Set([call.certificate === undefined ? TPP : OTHER_TPP]));
    }
  });

  it('of several TPPs leave open whose flow it is that names none of them', () => {
    const byOther = withCall(consentCreation(), { certificate: otherCertificate });
    const ledger = ledgerAfter(consentCreation(), byOther, authorize(sentBack('code=c')));
    expect([...ledger.authorizes.values()][0]?.tpp).toBeNull();
    expect(consentOf(ledger, TPP, 'C1')?.status).toBe('received');
    expect(consentOf(ledger, OTHER_TPP, 'C1')?.status).toBe('received');
  });

  it('take an authorisation that is created for the resource afterwards', () => {
    const ledger = ledgerAfter(consentCreation({}, { _links: {} }), [
      { operation: 'consents.authorisations.create', params: { consentId: 'C1' } },
      {
        status: 201,
        body: { scaStatus: 'received', authorisationId: 'a2', _links: { scaOAuth: { href: DIRECT } } },
      },
    ]);
    expect(consentOf(ledger, TPP, 'C1')).toMatchObject({
      implicit: false,
      link: 'direct',
      authorisations: ['a2'],
    });
    expect(authorisationOf(ledger, 'a2')).toMatchObject({ scope: 'AIS:C1', link: 'direct' });
  });

  const OWN = { 'TPP-Redirect-URI': 'https://tpp/own' };
  it.each([
    ['creation', {}, { redirectUri: 'https://tpp/cb', nokRedirectUri: 'https://tpp/nok' }],
    ['start, where it gives some', OWN, { redirectUri: 'https://tpp/own', nokRedirectUri: null }],
  ])('give an authorisation the addresses of the %s', (_, headers, addresses) => {
    const ledger = ledgerAfter(consentCreation({}, { _links: {} }), [
      { operation: 'consents.authorisations.create', params: { consentId: 'C1' }, headers },
      { status: 201, body: { authorisationId: 'a2' } },
    ]);
    expect(authorisationOf(ledger, 'a2')).toMatchObject(addresses);
  });
});

describe('the authorisation', () => {
  it('is valid with the code at the redirect', () => {
    const ledger = ledgerAfter(consentCreation(), authorize(sentBack('code=code-1')));
    expect(consentOf(ledger, TPP, 'C1')).toMatchObject({ status: 'valid', statusAt: NOW + 1_000 });
    expect(authorisationOf(ledger, AUTHORISATION)?.status).toBe('finalised');
    expect(ledger.codes.get(fingerprint('code-1'))).toMatchObject({
      scope: 'AIS:C1',
      tpp: TPP,
      usedAt: null,
    });
  });

  it('accepts a payment technically', () => {
    const query = QUERY.replace('AIS:C1', 'PIS:P1');
    const ledger = ledgerAfter(paymentCreation, authorize(sentBack('code=code-1'), query));
    expect(paymentOf(ledger, TPP, 'P1')?.status).toBe('ACTC');
  });

  it('tells what follows from it apart from what the bank said', () => {
    const authorised = ledgerAfter(consentCreation(), authorize(sentBack('code=code-1')));
    expect(consentOf(authorised, TPP, 'C1')?.statusInferred).toBe(true);
    expect(authorisationOf(authorised, AUTHORISATION)?.statusInferred).toBe(true);
    const read: Step = [
      { operation: 'consents.status', params: { consentId: 'C1' } },
      { body: { consentStatus: 'valid' } },
    ];
    const said = ledgerAfter(consentCreation(), authorize(sentBack('code=code-1')), read);
    expect(consentOf(said, TPP, 'C1')).toMatchObject({ status: 'valid' });
    expect(consentOf(said, TPP, 'C1')).not.toHaveProperty('statusInferred');
  });

  it('is exempted by the scenario of that name', () => {
    const ledger = ledgerAfter(
      consentCreation(),
      authorize(sentBack('code=c'), `${QUERY}&scenario=SCA_EXEMPTED`),
    );
    expect(authorisationOf(ledger, AUTHORISATION)?.status).toBe('exempted');
  });

  it('is failed with an error that tells of it, and may be tried again', () => {
    const failed = ledgerAfter(consentCreation(), authorize(sentBack('error=access_denied')));
    expect(consentOf(failed, TPP, 'C1')?.status).toBe('rejected');
    expect(authorisationOf(failed, AUTHORISATION)?.status).toBe('failed');
    const again = ledgerAfter(
      consentCreation(),
      authorize(sentBack('error=access_denied')),
      authorize(sentBack('code=c')),
    );
    expect(consentOf(again, TPP, 'C1')?.status).toBe('valid');
  });

  it('is untouched by a request that was refused, by a page, and by a redirect on to the bank', () => {
    for (const answer of [
      sentBack('error=invalid_request'),
      { status: 200, body: '<html>' },
      { status: 302, headers: { Location: 'https://bank/login?code=x' } },
    ])
      expect(consentOf(ledgerAfter(consentCreation(), authorize(answer)), TPP, 'C1')?.status).toBe(
        'received',
      );
  });

  it('keeps the request for the token, once for all the steps of the page', () => {
    const page = { status: 200, body: '<html>' };
    const ledger = ledgerAfter(consentCreation(), authorize(page), authorize(page, `${QUERY}&choice=SCA_OK`));
    expect([...ledger.authorizes.values()]).toEqual([
      {
        at: NOW + 1_000,
        tpp: TPP,
        authorisationId: AUTHORISATION,
        clientId: 'VALID_CLIENT_ID',
        scope: 'AIS:C1',
        state: 's1',
        redirectUri: 'https://tpp/cb',
        challenge: 'ch1',
        method: 'plain',
      },
    ]);
    expect(ledger.usedOnce.get(keyOf.usedOnce('state', 's1'))).toMatchObject({ purpose: AUTHORISATION });
    expect(ledger.usedOnce.get(keyOf.usedOnce('challenge', 'ch1'))).toMatchObject({ kind: 'challenge' });
  });

  it('is awaited after a page of a bank until the redirect to the TPP, whatever that says', () => {
    const awaitedAfter = (...answers: readonly AnswerParts[]) =>
      [...ledgerAfter(...answers.map((answer) => authorize(answer))).authorizes.values()].map(
        ({ awaited }) => awaited !== undefined,
      );
    const page: AnswerParts = { source: 'upstream', status: 200 };
    const onward: AnswerParts = { ...page, status: 302, headers: { Location: 'https://bank/login?code=x' } };
    expect(awaitedAfter({ status: 200 })).toEqual([false]);
    expect(awaitedAfter(page)).toEqual([true]);
    expect(awaitedAfter(onward, page)).toEqual([true]);
    for (const end of ['code=c', 'error=access_denied', 'error=invalid_request']) {
      expect(awaitedAfter(page, { ...sentBack(end), source: 'upstream' })).toEqual([false]);
      expect(awaitedAfter(page, { ...sentBack(end), source: 'upstream' }, page)).toEqual([true]);
    }
  });

  it('keeps several requests for one scope', () => {
    const page = { status: 200 };
    const other = QUERY.replace('ch1', 'ch2').replace('s1', 's2');
    expect(ledgerAfter(consentCreation(), authorize(page), authorize(page, other)).authorizes.size).toBe(2);
  });

  it.each([
    ['scope', QUERY.replace('AIS:C1', 'AIS:C2')],
    ['redirect_uri', QUERY.replace('https://tpp/cb', 'https://tpp/other')],
    ['code_challenge_method', `${QUERY}&code_challenge_method=S256`],
  ])('keeps a request that differs in %s alone beside the one before', (_, other) => {
    const ledger = ledgerAfter(authorize({ status: 200 }), authorize({ status: 200 }, other));
    expect(ledger.authorizes.size).toBe(2);
  });

  it('is that of the client_id where that one created the resource with the shared authorisation id', () => {
    const shared = ledgerAfter(consentCreation());
    const theirs = { ...consentOf(shared, TPP, 'C1'), tpp: OTHER_TPP };
    applyChanges(shared, [
      { family: 'consents', key: keyOf.resource(OTHER_TPP, 'C1'), fact: theirs as never },
    ]);
    const [call, answer] = authorize(sentBack('code=c'), QUERY.replace('VALID_CLIENT_ID', OTHER_TPP)) as [
      CallParts,
      AnswerParts,
    ];
    applyChanges(shared, advance(shared, anExchange({ call, answer }), fingerprint));
    expect(consentOf(shared, OTHER_TPP, 'C1')?.status).toBe('valid');
    expect(consentOf(shared, TPP, 'C1')?.status).toBe('received');
  });
});

describe('the token endpoint', () => {
  it('teaches tokens as fingerprints with owner, scope and end', () => {
    const ledger = ledgerAfter(consentCreation(), exchangeCode);
    expect(ledger.tokens.get(fingerprint('access-1'))).toEqual({
      token: fingerprint('access-1'),
      tpp: TPP,
      scope: 'AIS:C1',
      issuedAt: NOW + 1_000,
      // From when the answer was there: two ms later.
      expiresAt: NOW + 601_002,
    });
    expect(ledger.codes.get(fingerprint('code-1'))?.usedAt).toBe(NOW + 1_000);
    expect(JSON.stringify([...ledger.tokens, ...ledger.refreshTokens, ...ledger.codes])).not.toMatch(
      /access-1|refresh-1|code-1/,
    );
  });

  it('tells that the PSU has authorised, where the redirect did not pass here', () => {
    expect(consentOf(ledgerAfter(consentCreation(), exchangeCode), TPP, 'C1')?.status).toBe('valid');
  });

  it('keeps the literal codes of the sandbox as they are, for each TPP that exchanged one', () => {
    const code = 'AIS_VALID_CODE';
    const exchanged: Step = [{ operation: 'oauth.token', form: { code } }, token];
    const ledger = ledgerAfter(exchanged);
    expect([...ledger.codes.values()].map((fact) => [fact.code, fact.tpp])).toEqual([[code, TPP]]);
    expect(codeOf(ledger, code, OTHER_TPP)).toBeUndefined();
    expect(codeOf(ledger, code, TPP)?.usedAt).toBe(NOW);
  });

  it('takes a literal code that is given anew for one that was not exchanged', () => {
    const code = 'AIS_VALID_CODE';
    const ledger = ledgerAfter(
      [{ operation: 'oauth.token', form: { code } }, token],
      consentCreation(),
      authorize(sentBack(`code=${code}`)),
    );
    expect(codeOf(ledger, code, TPP)).toMatchObject({ issuedAt: NOW + 2_000, usedAt: null });
  });

  it('marks a refresh token that a newer one replaced', () => {
    const refresh: Step = [
      { operation: 'oauth.token', form: { grant_type: 'refresh_token', refresh_token: 'refresh-1' } },
      { body: { ...(token.body as object), access_token: 'access-2', refresh_token: 'refresh-2' } },
    ];
    const ledger = ledgerAfter(exchangeCode, refresh);
    expect(ledger.refreshTokens.get(fingerprint('refresh-1'))?.replacedBy).toBe(fingerprint('refresh-2'));
    expect(ledger.refreshTokens.get(fingerprint('refresh-2'))).toMatchObject({
      replacedBy: null,
      scope: 'AIS:C1',
    });
  });

  const refreshed = (used: string, given: string): Step => [
    { operation: 'oauth.token', form: { grant_type: 'refresh_token', refresh_token: used } },
    { body: { ...(token.body as object), access_token: `a-${given}`, refresh_token: given } },
  ];
  const replacedIn = (ledger: LedgerState) =>
    [...ledger.refreshTokens.values()].map(({ replacedBy }) => replacedBy !== null);

  it('marks all but the newest where one refresh token gave several', () => {
    const chain = [refreshed('refresh-1', 'refresh-2'), refreshed('refresh-1', 'refresh-3')];
    const ledger = ledgerAfter(exchangeCode, ...chain);
    const current = [...ledger.refreshTokens.values()].filter(({ replacedBy }) => replacedBy === null);
    expect(current.map((fact) => fact.token)).toEqual([fingerprint('refresh-3')]);
  });

  it('marks the refresh token of a consent that was authorised again', () => {
    const again: Step = [
      { operation: 'oauth.token', form: { grant_type: 'authorization_code', code: 'code-2' } },
      { body: { ...(token.body as object), access_token: 'access-2', refresh_token: 'refresh-2' } },
    ];
    const ledger = ledgerAfter(consentCreation(), exchangeCode, again);
    expect(ledger.refreshTokens.get(fingerprint('refresh-1'))?.replacedBy).toBe(fingerprint('refresh-2'));
    expect(ledger.refreshTokens.get(fingerprint('refresh-2'))?.replacedBy).toBeNull();
  });

  it('leaves alone the refresh tokens of a literal consent, which several flows share', () => {
    const of = (given: string): Step => [
      { operation: 'oauth.token', form: { grant_type: 'authorization_code', code: 'AIS_VALID_CODE' } },
      { body: { ...(token.body as object), refresh_token: given, scope: 'AIS:VALID_CONSENT_ID' } },
    ];
    expect(replacedIn(ledgerAfter(of('refresh-1'), of('refresh-2')))).toEqual([false, false]);
  });

  it('leaves the age of a refresh token that is handed out again', () => {
    const again: Step = [
      { operation: 'oauth.token', form: { grant_type: 'refresh_token', refresh_token: 'refresh-1' } },
      token,
    ];
    expect(ledgerAfter(exchangeCode, again).refreshTokens.get(fingerprint('refresh-1'))).toMatchObject({
      issuedAt: NOW,
      replacedBy: null,
    });
  });

  it('teaches nothing by a refusal', () => {
    const refused = ledgerAfter([
      { operation: 'oauth.token', form: { code: 'code-1' } },
      { status: 400, body: { error: 'invalid_grant' } },
    ]);
    expect(refused.codes.size + refused.tokens.size).toBe(0);
  });
});

describe('later calls', () => {
  it.each([
    [
      'a read of the consent',
      { operation: 'consents.read' as const },
      { body: { consentStatus: 'expired' } },
      'expired',
    ],
    [
      'a read of its status',
      { operation: 'consents.status' as const },
      { body: { consentStatus: 'valid' } },
      'valid',
    ],
    ['its deletion', { operation: 'consents.delete' as const }, { status: 204 }, 'terminatedByTpp'],
    [
      'a status that nobody knows',
      { operation: 'consents.read' as const },
      { body: { consentStatus: 'odd' } },
      'received',
    ],
    ['a refusal', { operation: 'consents.delete' as const }, { status: 403 }, 'received'],
  ])('teach the status of a consent: %s', (_, call, answer, status) => {
    const ledger = ledgerAfter(consentCreation(), [{ ...call, params: { consentId: 'C1' } }, answer]);
    expect(consentOf(ledger, TPP, 'C1')?.status).toBe(status);
  });

  it('teach what the bank granted of what was asked for', () => {
    const ledger = ledgerAfter(consentCreation(), [
      { operation: 'consents.read', params: { consentId: 'C1' } },
      { body: { consentStatus: 'valid', validUntil: '2026-08-01', frequencyPerDay: 1 } },
    ]);
    const granted = { validUntil: '2026-08-01', frequencyPerDay: 1 };
    expect(consentOf(ledger, TPP, 'C1')).toMatchObject(granted);
  });

  it.each([
    ['payments.read', { body: { transactionStatus: 'ACSC' } }, { status: 'ACSC' }],
    ['payments.status', { body: { transactionStatus: 'ACSP' } }, { status: 'ACSP' }],
    ['payments.cancel', { status: 204 }, { status: 'CANC' }],
    ['payments.cancel', { status: 202, body: { transactionStatus: 'ACTC' } }, { status: 'ACTC' }],
  ] as const)('teach the status of a payment: %s', (operation, answer, expected) => {
    const ledger = ledgerAfter(paymentCreation, [{ operation, params: { paymentId: 'P1' } }, answer]);
    expect(paymentOf(ledger, TPP, 'P1')).toMatchObject(expected);
  });

  it('teach when a status was read, also of a literal id that nobody created', () => {
    const poll = { operation: 'payments.status', params: { paymentId: 'PAYMENT_ID_RCVD_SCT' } } as const;
    const ledger = ledgerAfter([poll, { body: { transactionStatus: 'RCVD' } }]);
    expect(ledger.polls.get(keyOf.resource(TPP, 'PAYMENT_ID_RCVD_SCT'))).toEqual({ at: NOW });
  });

  it('teach the status of an authorisation, and that the discovery document was read', () => {
    const ledger = ledgerAfter(
      consentCreation(),
      [
        { operation: 'consents.authorisations.read', params: { authorisationId: AUTHORISATION } },
        { body: { scaStatus: 'started' } },
      ],
      [{ operation: 'oauth.discovery', query: `authorizationId=${AUTHORISATION}` }, { body: {} }],
    );
    expect(authorisationOf(ledger, AUTHORISATION)).toMatchObject({
      status: 'started',
      discoveryReadAt: NOW + 2_000,
    });
  });

  it('teach the accounts of a list', () => {
    const ledger = ledgerAfter(consentCreation(), [
      { operation: 'accounts.list', headers: { 'Consent-Id': 'C1' } },
      { body: { accounts: [{ resourceId: 'A1' }, { resourceId: 'A2' }, {}, null, { resourceId: 7 }] } },
    ]);
    expect(consentOf(ledger, TPP, 'C1')?.accounts).toEqual(['A1', 'A2']);
    expect(consentOf(ledger, TPP, 'C1')?.moreAccounts).toBeUndefined();
  });

  it('teach when the SCA was, also one of a consent that was valid already', () => {
    const ledger = ledgerAfter(
      consentCreation(),
      authorize(sentBack('code=code-1')),
      exchangeCode,
      [{ operation: 'consents.status', params: { consentId: 'C1' } }, { body: { consentStatus: 'valid' } }],
      authorize(sentBack('code=code-2')),
    );
    expect(consentOf(ledger, TPP, 'C1')?.scaAt).toBe(NOW + 4_000);
  });

  it.each([
    ['dateFrom=2026-01-01&dateTo=2026-06-01', 200, true],
    ['dateTo=2026-01-01', 200, true],
    ['dateFrom=2026-06-01', 200, false],
    ['dateFrom=2026-01-01', 401, false],
    ['dateFrom=2026-02-30', 200, false],
  ])('teach whether the bank gave old transactions: %s, answered %s', (query, status, gave) => {
    const ledger = ledgerAfter(consentCreation(), [
      { operation: 'accounts.transactions', query, headers: { 'Consent-Id': 'C1' } },
      { status, body: {} },
    ]);
    expect(consentOf(ledger, TPP, 'C1')?.historyAt).toBe(gave ? NOW + 1_000 : undefined);
  });

  it('teach the accounts of every page of a list', () => {
    const ledger = ledgerAfter(
      consentCreation(),
      ...[0, 1, 0].map(
        (page): Step => [
          { operation: 'accounts.list', query: `page=${page}`, headers: { 'Consent-Id': 'C1' } },
          { body: { accounts: [{ resourceId: `A${page}` }, { resourceId: `B${page}` }] } },
        ],
      ),
    );
    expect(consentOf(ledger, TPP, 'C1')?.accounts).toEqual(['A0', 'B0', 'A1', 'B1']);
  });

  it('teach that there are more accounts than are remembered', () => {
    const accounts = Array.from({ length: 501 }, (_, i) => ({ resourceId: `A${i}` }));
    const ledger = ledgerAfter(consentCreation(), [
      { operation: 'accounts.list', headers: { 'Consent-Id': 'C1' } },
      { body: { accounts } },
    ]);
    expect(consentOf(ledger, TPP, 'C1')).toMatchObject({ moreAccounts: true });
    expect(consentOf(ledger, TPP, 'C1')?.accounts).toHaveLength(500);
  });

  it('teach that a list names accounts by their links alone', () => {
    const links = { balances: { href: '/stdgroup/v1/accounts/A1/balances' } };
    const ledger = ledgerAfter(consentCreation(), [
      { operation: 'accounts.list', headers: { 'Consent-Id': 'C1' } },
      { body: { accounts: [{ currency: 'EUR', _links: links }] } },
    ]);
    expect(consentOf(ledger, TPP, 'C1')).toMatchObject({ accounts: [], moreAccounts: true });
  });

  it('teach when a consent was deleted, and that a new creation of its literal id begins again', () => {
    const deletion: Step = [
      { operation: 'consents.delete', params: { consentId: 'C1' }, at: NOW + 5_000 },
      { status: 204 },
    ];
    const deleted = ledgerAfter(consentCreation(), deletion);
    expect(consentOf(deleted, TPP, 'C1')).toMatchObject({ deletedAt: NOW + 5_000 });
    const again = ledgerAfter(consentCreation(), deletion, consentCreation());
    expect(consentOf(again, TPP, 'C1')).not.toHaveProperty('deletedAt');
  });

  it.each(['revokedByPsu', 'expired', 'rejected'] as const)(
    'teach nothing by the deletion of a consent that is %s already',
    (consentStatus) => {
      const ledger = ledgerAfter(
        consentCreation(),
        [{ operation: 'consents.status', params: { consentId: 'C1' } }, { body: { consentStatus } }],
        [{ operation: 'consents.delete', params: { consentId: 'C1' } }, { status: 204 }],
      );
      expect(consentOf(ledger, TPP, 'C1')).toMatchObject({ status: consentStatus });
      expect(consentOf(ledger, TPP, 'C1')).not.toHaveProperty('deletedAt');
    },
  );
});

describe('the fold', () => {
  const journey: Step[] = [
    consentCreation(),
    authorize(sentBack('code=code-1')),
    exchangeCode,
    [
      { operation: 'accounts.list', headers: { 'Consent-Id': 'C1', Authorization: 'Bearer access-1' } },
      { body: { accounts: [] } },
    ],
  ];

  it('leaves the ledger that it is given as it is', () => {
    const ledger = ledgerAfter(...journey);
    const text = () => JSON.stringify(ledger, (_, v) => (v instanceof FactFamily ? [...v] : v));
    const before = text();
    expect(before).toContain('"consents":[[');
    const [call, answer] = consentCreation() as [CallParts, AnswerParts];
    expect(advance(ledger, anExchange({ call, answer }), fingerprint)).not.toEqual([]);
    expect(text()).toBe(before);
  });

  it('comes to the same on exchanges whose secrets are fingerprints already', () => {
    const secrets = ['code-1', 'access-1', 'refresh-1'];
    const redact = (text: string) =>
      secrets.reduce((redacted, secret) => redacted.replaceAll(secret, fingerprint(secret)), text);
    const redacted = JSON.parse(redact(JSON.stringify(journey))) as Step[];
    expect(ledgerAfter(...redacted)).toEqual(ledgerAfter(...journey));
  });

  it('gives calls of a recording without certificates an owner of their own', () => {
    const [call, answer] = consentCreation() as [CallParts, AnswerParts];
    const ledger = ledgerAfter([{ ...call, certificate: 'not-observed' }, answer]);
    expect(consentOf(ledger, UNOBSERVED_TPP, 'C1')).toBeDefined();
  });

  it('takes the browser at a listener of ours for no TPP, so that whoever has the code may use it', () => {
    const target = '/stdgroup/authorization/authorize/22222222-2222-2222-2222-222222222222';
    const query = new URLSearchParams({
      scope: 'AIS:CONSENT_ID_ALL_PSD2',
      redirect_uri: 'https://tpp.example/cb',
    });
    const call = {
      operation: 'oauth.authorize',
      target: `${target}?${query}`,
    } as const;
    const answer = { status: 302, headers: { Location: 'https://tpp.example/cb?code=code-9' } };
    const owners = (parts: CallParts) =>
      [...ledgerAfter([{ ...call, ...parts }, answer]).codes.values()].map(({ tpp }) => tpp);
    expect(owners({})).toEqual([null]);
    expect(owners({ certificate: 'not-observed' })).toEqual([UNOBSERVED_TPP]);
  });

  it('learns nothing where nobody knows who calls, nor from callbacks and unknown paths', () => {
    const [call, answer] = consentCreation() as [CallParts, AnswerParts];
    for (const parts of [
      { certificate: 'absent' as const },
      { listener: 'callback' as const },
      { target: '/nowhere' },
    ])
      expect(
        advance(createLedger(), anExchange({ call: { ...call, ...parts }, answer }), fingerprint),
      ).toEqual([]);
  });

  it('learns the request id even where no answer could be given', () => {
    const changes = advance(createLedger(), anExchange({ call: {}, answer: null }), fingerprint);
    expect(changes.map(({ family }): LedgerFamily => family)).toEqual(['requestIds']);
  });
});

describe('an exchange that a fault changed', () => {
  const lists = (did: number | null | undefined, status: number | null) => {
    const call: CallParts = { operation: 'accounts.list', headers: { 'Consent-Id': 'C1' } };
    const plain = anExchange({ call, answer: status === null ? null : { status } });
    const injected = { fault: 'f', kind: 'done/lost', ...(did === undefined ? {} : { did }) };
    return advance(createLedger(), { ...plain, injected }, fingerprint).find(
      ({ family }) => family === 'accesses',
    )?.fact;
  };

  it.each([
    ['the bank was not asked', null, 503, undefined],
    ['the bank refused it, and the answer was lost', 429, null, undefined],
    ['the bank gave access, and the answer was lost', 200, null, { times: [], unanswered: [NOW] }],
    ['the bank gave access, and a 504 came', 200, 504, { times: [], unanswered: [NOW] }],
    ['the answer was late', undefined, 200, { times: [NOW] }],
  ])('counts as the access that it may have been: %s', (_, did, status, fact) => {
    const learned = lists(did, status);
    if (fact === undefined) expect(learned).toBeUndefined();
    else expect(learned).toMatchObject(fact);
  });

  it('gives the TPP its ids, and says nothing of a status', () => {
    const ledger = ledgerAfter(consentCreation());
    const creation = anExchange({
      call: { operation: 'consents.create' },
      answer: { status: 201, body: { consentId: 'C9', consentStatus: 'expired' } },
    });
    const read = anExchange({
      call: { operation: 'consents.read', params: { consentId: 'C1' } },
      answer: { body: { consentStatus: 'expired', validUntil: '2020-01-01', frequencyPerDay: 1 } },
    });
    const before = consentOf(ledger, TPP, 'C1');
    for (const [exchange, did] of [
      [creation, 201],
      [read, 200],
    ] as const) {
      const injected = { fault: 'f', kind: 'content/unknown-status', did };
      applyChanges(ledger, advance(ledger, { ...exchange, injected }, fingerprint));
    }
    expect(consentOf(ledger, TPP, 'C9')?.status).toBe('received');
    expect(consentOf(ledger, TPP, 'C1')).toEqual(before);
    const token = anExchange({
      call: { operation: 'oauth.token', form: { code: 'K' } },
      answer: { body: { access_token: 'T', scope: 'AIS' } },
    });
    const injected = { fault: 'f', kind: 'token/scope-narrowed', did: 200 };
    const learned = advance(ledger, { ...token, injected }, fingerprint);
    expect(learned.find(({ family }) => family === 'tokens')?.fact).toMatchObject({ scope: '' });
  });
});

describe('odd links', () => {
  const href = (path: string) => `https://bank/stdgroup/v1/${path}`;
  const body = { accounts: [], _links: { next: { href: href('accounts?cursor=2') } } };
  const list = (parts: CallParts = {}) =>
    anExchange({ call: { operation: 'accounts.list', ...parts }, answer: { source: 'upstream', body } });
  const linksIn = (ledger: LedgerState) =>
    [...ledger.links.values()].map(({ tpp, path }) => `${tpp} ${path}`);

  it('of an answer that comes again are learned once for each TPP, and again after they were taken back', () => {
    const ledger = createLedger();
    const { answer } = list();
    const linksOf = (exchange = list()) =>
      advance(ledger, { ...exchange, answer }, fingerprint).filter(({ family }) => family === 'links');
    const learned = linksOf();
    applyChanges(ledger, learned);
    expect(linksOf()).toEqual([]);
    applyChanges(ledger, linksOf(list({ certificate: otherCertificate })));
    expect(linksIn(ledger)).toEqual([`${TPP} /stdgroup/v1/accounts`, `${OTHER_TPP} /stdgroup/v1/accounts`]);
    for (const key of [...ledger.links.keys()]) ledger.links.drop(key);
    expect(linksOf()).toEqual(learned);
  });

  it('are those of the answer at hand, whatever the one before it at the same address had', () => {
    const ledger = createLedger();
    const learnedOf = (cursor: number, name: string) => {
      const links = { next: { href: href(`accounts?cursor=${cursor}`) } };
      const body = { accounts: [{ name }], _links: links };
      const answer = { source: 'upstream' as const, body };
      const changes = advance(
        ledger,
        anExchange({ call: { operation: 'accounts.list' }, answer }),
        fingerprint,
      );
      return changes.flatMap(({ family, fact }) => (family === 'links' ? [fact] : []));
    };
    expect(learnedOf(2, 'a')).toMatchObject([{ query: [['cursor', '2']] }]);
    expect(learnedOf(2, 'b')).toMatchObject([{ query: [['cursor', '2']] }]);
    expect(learnedOf(3, 'b')).toMatchObject([{ query: [['cursor', '3']] }]);
    expect(learnedOf(2, 'b')).toMatchObject([{ query: [['cursor', '2']] }]);
  });

  it('that are relative follow from where the answer was read', () => {
    const relative = (target: string) => ({
      operation: 'accounts.transactions' as const,
      target: `${target}?bookingStatus=booked`,
    });
    const { answer } = anExchange({
      call: { operation: 'accounts.list' },
      answer: { source: 'upstream', body: { _links: { next: { href: 'page/2' } } } },
    });
    const ledger = createLedger();
    for (const id of ['A1', 'A2'])
      applyChanges(
        ledger,
        advance(
          ledger,
          { ...anExchange({ call: relative(`/stdgroup/v1/accounts/${id}/transactions`) }), answer },
          fingerprint,
        ),
      );
    expect(linksIn(ledger)).toEqual([
      `${TPP} /stdgroup/v1/accounts/A1/page/2`,
      `${TPP} /stdgroup/v1/accounts/A2/page/2`,
    ]);
  });
});
