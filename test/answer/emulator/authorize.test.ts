import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLedger } from '../../../src/ledger/index.js';
import { SCA_SCENARIO_IDS, SCA_SCENARIOS } from '../../../src/spec/index.js';
import { TPP } from '../../builders.js';
import { codePoint } from '../../code-points.js';
import { AUTHORISATION, anAuthorisation } from '../../rules/ledger-of.js';
import { anEmulator, DATA } from '../an-emulator.js';

const { ask } = anEmulator();
const ID = '22222222-2222-2222-2222-222222222222';
const PATH = `/stdgroup/authorization/authorize/${ID}`;
const PARAMETERS = {
  scope: 'AIS:VALID_CONSENT_ID',
  client_id: 'VALID_CLIENT_ID',
  state: 'af0ifjsldkj-4711',
  redirect_uri: 'https://tpp.example/cb?keep=1',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  response_type: 'code',
  code_challenge_method: 'S256',
};
type Context = Parameters<typeof ask>[1];
const open = (more: Record<string, string> = {}, context?: Context) =>
  ask(
    {
      operation: 'oauth.authorize',
      params: { authorisationId: ID },
      query: new URLSearchParams({ ...PARAMETERS, ...more }).toString(),
    },
    context,
  );
const text = (...given: Parameters<typeof open>) => open(...given).body?.text ?? '';
const readText = (value: string) =>
  value
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
/** Name and value of every hidden input, as a browser would send them. */
const hidden = (page: string) =>
  [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
    ([, name = '', value = '']) => [readText(name), readText(value)] as const,
  );

describe('the SCA page', () => {
  const page = text();

  it('offers the fourteen outcomes as radio buttons of one form', () => {
    for (const id of SCA_SCENARIO_IDS) {
      expect(page).toContain(`<input type="radio" name="choice" value="${id}" required`);
      expect(page).toContain(SCA_SCENARIOS[id].meaning);
    }
    expect(page.match(/type="radio"/g)).toHaveLength(14);
    expect(page.match(/ checked>/g)).toHaveLength(1);
    expect(page).toContain(`<form method="get" action="${PATH}">`);
  });

  it('carries every parameter of the TPP along, and no others', () => {
    expect(Object.fromEntries(hidden(page))).toEqual(PARAMETERS);
    expect(Object.fromEntries(hidden(text({ extra: 'x' })))).toEqual({ ...PARAMETERS, extra: 'x' });
  });

  it('can be used by keyboard and screen reader, and without script', () => {
    expect(page).toContain('<html lang="en">');
    expect(page).toContain('name="viewport"');
    expect(page).toMatch(/<title>[^<]+<\/title>/);
    expect(page.match(/<fieldset><legend>/g)).toHaveLength(3);
    expect(page.match(/<label>/g)).toHaveLength(14);
    expect(page).toContain('prefers-color-scheme:dark');
    expect(page).toContain(':focus-visible');
    expect(page).not.toMatch(/<script|<link|<img|\son\w+=|url\(|@import/i);
  });

  it('says who asks for what', () => {
    expect(page).toContain('Give access to your account information');
    expect(page).toContain('<dd>VALID_CLIENT_ID</dd>');
    expect(page).toContain('<dd>tpp.example</dd>');
    expect(page).toContain(DATA.accounts.bank.name);
    const iban = DATA.accounts.accounts[0]?.iban ?? '';
    expect(page).toContain(`${iban.slice(0, 4)} ${iban.slice(4, 8)}`);
  });

  it('shows amount and creditor of a payment', () => {
    const { instructedAmount, creditorName } = DATA.payments.CBP;
    const payment = text({ scope: 'PIS:PAYMENT_ID_RCVD_CBP' });
    expect(payment).toContain('Authorise a payment');
    expect(payment).toContain(`${instructedAmount.amount} ${instructedAmount.currency}`);
    expect(payment).toContain(creditorName);
  });

  it('names a consent for funds', () => {
    expect(text({ scope: 'PIIS:VALID_CONSENT_ID' })).toContain('Whether an amount is available');
  });

  it('may be styled by its own sheet only', async () => {
    const { createHash } = await import('node:crypto');
    const css = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '';
    const hash = createHash('sha256').update(css).digest('base64');
    expect(open().header['content-security-policy']).toContain(`style-src 'sha256-${hash}'`);
  });
});

describe('the information page', () => {
  it.each(SCA_SCENARIO_IDS)('tells the PSU of %s and leads on', (choice) => {
    const answer = open({ choice });
    expect(answer.status).toBe(200);
    expect(answer.body?.text).toContain(SCA_SCENARIOS[choice].information);
    const link = readText(/<a class="button" href="([^"]*)">/.exec(answer.body?.text ?? '')?.[1] ?? '');
    const url = new URL(link, 'https://localhost:8444');
    expect(url.pathname).toBe(PATH);
    expect(Object.fromEntries(url.searchParams)).toEqual({ ...PARAMETERS, scenario: choice });
  });
});

describe('the redirect', () => {
  it.each(SCA_SCENARIO_IDS)('ends %s at the TPP', (scenario) => {
    const answer = open({ scenario });
    const location = new URL(answer.header.location ?? '');
    expect(answer).toMatchObject({ status: 302, body: null });
    expect(answer.header['cache-control']).toBe('no-store');
    expect(location.origin + location.pathname).toBe('https://tpp.example/cb');
    const { keep, state, code, error, error_description } = Object.fromEntries(location.searchParams);
    expect({ keep, state }).toEqual({ keep: '1', state: PARAMETERS.state });
    if (SCA_SCENARIOS[scenario].error === null) expect([code, error]).toEqual(['AIS_VALID_CODE', undefined]);
    else {
      expect([code, error]).toEqual([undefined, SCA_SCENARIOS[scenario].error]);
      expect(error_description).toBe(`${scenario}: ${SCA_SCENARIOS[scenario].meaning}`);
    }
  });

  it.each([
    ['com.tpp.app://callback', 'com.tpp.app://callback?code=AIS_VALID_CODE&state=s'],
    ['com.tpp.app:/callback?keep=1', 'com.tpp.app:/callback?keep=1&code=AIS_VALID_CODE&state=s'],
    ['myapp://cb', 'myapp://cb?code=AIS_VALID_CODE&state=s'],
    ['https://tpp.example/cb#done', 'https://tpp.example/cb?code=AIS_VALID_CODE&state=s#done'],
  ])('goes to any URI: %s', (redirect_uri, location) => {
    expect(open({ redirect_uri, state: 's', scenario: 'SCA_OK' }).header.location).toBe(location);
    expect(open({ redirect_uri, scenario: 'SCA_NOK' }).header.location).toContain('error=access_denied');
    expect(text({ redirect_uri })).toContain(
      `<dd>${redirect_uri.startsWith('https') ? 'tpp.example' : redirect_uri.split('?')[0]}</dd>`,
    );
  });

  it('gives an empty state back', () => {
    const { location = '' } = open({ state: '', scenario: 'SCA_OK' }).header;
    expect(new URL(location).searchParams.get('state')).toBe('');
  });

  it('needs no code_challenge_method', () => {
    const { code_challenge_method: _, ...parameters } = PARAMETERS;
    const query = new URLSearchParams({ ...parameters, scenario: 'SCA_OK' }).toString();
    const answer = ask({ operation: 'oauth.authorize', params: { authorisationId: ID }, query });
    expect(new URL(answer.header.location ?? '').searchParams.get('code')).toBe('AIS_VALID_CODE');
  });

  it('gives any state back as it came', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (state) => {
        const location = new URL(open({ state, scenario: 'SCA_CANCEL' }).header.location ?? '');
        expect(location.searchParams.get('state')).toBe(state);
      }),
    );
  });

  /** Asked for at the address that was handed out with a creation. */
  const openFlow = (more: Record<string, string>, flow: Parameters<typeof anAuthorisation>[0]) =>
    ask(
      {
        operation: 'oauth.authorize',
        params: { authorisationId: AUTHORISATION },
        query: new URLSearchParams({ ...PARAMETERS, ...more }).toString(),
      },
      { ledger: createLedger([anAuthorisation({ scope: PARAMETERS.scope, ...flow })]) },
    );
  const targetOf = (scenario: string, redirectUri: string | null, nokRedirectUri: string | null) =>
    openFlow({ scenario }, { redirectUri, nokRedirectUri }).header.location?.split('?')[0];
  const NOK = 'https://tpp.example/nok';

  it('goes to TPP-Nok-Redirect-URI of the creation on failure, not on success', () => {
    expect(targetOf('SCA_TIMEOUT', PARAMETERS.redirect_uri, NOK)).toBe(NOK);
    expect(targetOf('SCA_TIMEOUT', null, NOK)).toBe(NOK);
    expect(targetOf('SCA_OK', PARAMETERS.redirect_uri, NOK)).toBe('https://tpp.example/cb');
  });

  it('goes to TPP-Nok-Redirect-URI of an app', () => {
    const nok = 'com.tpp.app://nok';
    expect(targetOf('SCA_TIMEOUT', PARAMETERS.redirect_uri, nok)).toBe(nok);
  });

  it.each([
    ['of another creation', 'https://tpp.example/other', NOK],
    ['not usable', null, 'javascript:alert(1)'],
    ['not given', null, null],
  ])('goes to redirect_uri where the Nok address is %s', (_, redirectUri, nok) => {
    expect(targetOf('SCA_TIMEOUT', redirectUri, nok)).toBe('https://tpp.example/cb');
  });

  it('lets the page tell whose flow it is, and the consent as it will be read', () => {
    const page = openFlow({}, {}).body?.text ?? '';
    expect(page).toContain(`VALID_CLIENT_ID (${TPP})`);
    expect(page).toContain('2026-09-13');
    expect(page).toContain('at most 4 times a day');
  });

  it('of a fixed id is nobody’s, whoever was seen with it', () => {
    const theirs = [anAuthorisation({ id: ID, nokRedirectUri: NOK, redirectUri: null })];
    const ledger = createLedger(theirs);
    expect(text({}, { ledger })).not.toContain(TPP);
    expect(open({ scenario: 'SCA_NOK' }, { ledger }).header.location).toContain('https://tpp.example/cb?');
  });
});

describe('what has nowhere to go', () => {
  it.each([
    ['an unknown choice', { choice: 'SCA_MAYBE' }, 400],
    ['an unknown scenario', { scenario: 'constructor' }, 400],
    ['no redirect URI', { redirect_uri: '' }, 400],
    ['a script as redirect URI', { redirect_uri: 'javascript:alert(1)', scenario: 'SCA_OK' }, 400],
    ['no scheme in the redirect URI', { redirect_uri: 'tpp.example/cb', scenario: 'SCA_OK' }, 400],
  ])('ends %s on a page', (_, more, status) => {
    const answer = open(more as Record<string, string>);
    expect(answer.status).toBe(status);
    expect(answer.header.location).toBeUndefined();
    expect(answer.header['content-type']).toBe('text/html; charset=utf-8');
  });

  it('leads back to the TPP, and to the choice of an outcome, from an unknown one', () => {
    const hrefs = [...text({ scenario: 'SCA_MAYBE' }).matchAll(/<a [^>]*href="([^"]*)"/g)].map(
      ([, href = '']) => href.replaceAll('&amp;', '&'),
    );
    const [back, again] = hrefs.map((href) => new URL(href, 'https://bank.example'));
    expect([back?.host, back?.searchParams.get('error')]).toEqual(['tpp.example', 'access_denied']);
    expect([again?.pathname, again?.searchParams.has('scenario')]).toEqual([
      `/stdgroup/authorization/authorize/${ID}`,
      false,
    ]);
  });

  it('ends an unknown authorisation on a page', () => {
    const params = { authorisationId: '99999999-9999-9999-9999-999999999999' };
    expect(
      ask({ operation: 'oauth.authorize', params, query: 'redirect_uri=https://a.example' }).status,
    ).toBe(404);
  });
});

describe('hostile parameters', () => {
  const hostile = fc.oneof(
    fc.constantFrom(
      '"><script>alert(1)</script>',
      "' onfocus=alert(1) x='",
      '</style><img src=x onerror=alert(1)>',
    ),
    fc.string({ unit: codePoint }),
  );
  /** The page with all it quotes taken out must be the page of a harmless call. */
  const skeleton = (page: string) =>
    page
      .replace(/"[^"]*"/g, '""')
      .replace(/>[^<]*</g, '><')
      .replace(/(<input type="" name="" value="">)+/g, '')
      .replace(/(<dt><\/dt><dd><\/dd>)+/g, '');

  it('cannot change the markup of any page', () => {
    fc.assert(
      fc.property(
        hostile,
        hostile,
        hostile,
        fc.constantFrom('page', 'choice', 'unknown'),
        (a, b, c, kind) => {
          const more = { state: a, client_id: b, [c]: a, redirect_uri: 'https://tpp.example/cb' };
          const end = { page: {}, choice: { choice: 'SCA_OK' }, unknown: { scenario: `x${b}` } }[kind];
          const calm = { page: {}, choice: { choice: 'SCA_OK' }, unknown: { scenario: 'x' } }[kind];
          const page = text({ ...more, scope: 'AIS:VALID_CONSENT_ID', ...end } as Record<string, string>);
          if (c === 'scenario' || c === 'choice') return;
          expect(skeleton(page)).toBe(skeleton(text(calm as Record<string, string>)));
        },
      ),
    );
  });
});
