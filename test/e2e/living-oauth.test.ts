/** OAuth at the living bank: codes that are good once and for one client, challenges that are verified, tokens that end. */
import * as oauth from 'oauth4webapi';
import { Agent, fetch as undiciFetch } from 'undici';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CHALLENGE, DAY_MS, VERIFIER } from './harness.js';
import { BACK, type LivingTpp, livingTpp, startLivingBank, V1 } from './living.js';

const WRONG = `${VERIFIER.slice(0, -1)}A`;
let tpp: LivingTpp;
let other: LivingTpp;
let agent: Agent;
beforeAll(async () => {
  tpp = await startLivingBank();
  other = livingTpp(tpp.gateway, 'tpp-other');
  const { file } = tpp.gateway;
  agent = new Agent({ connect: { ca: file('ca.pem'), cert: file('tpp.pem'), key: file('tpp.key') } });
});
afterAll(async () => {
  await agent.close();
  await tpp.gateway.close();
});

const codeOf = (back: URL) => back.searchParams.get('code') ?? '';
const freshCode = async (query: Record<string, string> = {}) =>
  codeOf(await tpp.authorise(await tpp.create(), query));
const errorOf = async (form: Record<string, string>) => {
  const { status, json } = await tpp.exchange(form);
  return status === 200 ? 'given' : json.error;
};

describe('a client library', () => {
  it('walks from the consent to the accounts, and our rules find nothing', async () => {
    const customFetch = (url: string, init: object) =>
      undiciFetch(url, { ...init, dispatcher: agent } as Parameters<
        typeof undiciFetch
      >[1]) as unknown as Promise<Response>;
    const withFetch = { [oauth.customFetch]: customFetch };
    const before = (await tpp.gateway.records()).length;
    const { id, authorisation } = await tpp.create();
    const discovery = `${tpp.gateway.urls.api}/stdgroup/.well-known/openid-configuration?authorizationId=${authorisation}`;
    const server = (await (await customFetch(discovery, {})).json()) as oauth.AuthorizationServer;
    const client: oauth.Client = { client_id: 'VALID_CLIENT_ID' };
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const back = await tpp.authorise(
      { id, authorisation },
      { state, code_challenge: await oauth.calculatePKCECodeChallenge(verifier) },
    );
    const parameters = oauth.validateAuthResponse(server, client, back, state);
    const none = oauth.None();
    const exchanged = await oauth.authorizationCodeGrantRequest(
      ...([server, client, none, parameters, BACK, verifier, withFetch] as const),
    );
    const token = await oauth.processAuthorizationCodeResponse(server, client, exchanged);
    expect(token.scope).toBe(`AIS:${id}`);
    const refreshed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, none, token.refresh_token ?? '', withFetch),
    );
    const headers = new Headers({
      'Consent-Id': id,
      'X-Request-ID': crypto.randomUUID(),
      'PSU-IP-Address': '192.0.2.1',
    });
    const accounts = new URL(server.userinfo_endpoint ?? '');
    const list = await oauth.protectedResourceRequest(
      ...([refreshed.access_token, 'GET', accounts, headers, null, withFetch] as const),
    );
    expect(list.status).toBe(200);
    const findings = (await tpp.gateway.records()).slice(before).flatMap((record) => record.findings);
    expect(findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
  });
});

describe('an authorization request', () => {
  const asks = async (query: Record<string, string>) => {
    const { id, authorisation } = await tpp.create();
    const parameters = new URLSearchParams({
      ...{ scope: `AIS:${id}`, client_id: 'VALID_CLIENT_ID', state: 's', redirect_uri: BACK },
      ...{ code_challenge: CHALLENGE, response_type: 'code', code_challenge_method: 'S256' },
      ...{ scenario: 'SCA_OK', psu: 'psu-1', ...query },
    });
    for (const [name, value] of Object.entries(query)) if (value === '') parameters.delete(name);
    const path = `/stdgroup/authorization/authorize/${authorisation}?${parameters}`;
    const { status, headers, text } = await tpp.gateway.call(path, { side: 'psu' });
    return { text, end: [status, new URL(headers.location ?? 'about:blank').searchParams.get('error')] };
  };

  it.each([
    ['another redirect_uri', { redirect_uri: 'https://evil.example/back' }, 400, null],
    ['the client_id of somebody else', { client_id: 'PSDBE-NBB-0000000001' }, 400, null],
    ['no code_challenge', { code_challenge: '' }, 302, 'invalid_request'],
    ['another response_type', { response_type: 'token' }, 302, 'unsupported_response_type'],
    ['another method', { code_challenge_method: 'S512' }, 302, 'invalid_request'],
    [
      'the scope of another consent',
      { scope: 'AIS:c0ffee00-0000-4000-8000-000000000000' },
      302,
      'invalid_scope',
    ],
  ] as const)('with %s gets no code', async (_, query, status, error) => {
    expect((await asks(query)).end).toEqual([status, error]);
  });

  it('from elsewhere gets a page that says what was expected and found, in plain characters', async () => {
    const { text } = await asks({ redirect_uri: `https://evil.example/'${'x'.repeat(300)}` });
    expect(text).toContain(`: expected ${BACK}, found https://evil.example/&#39;xxx`);
    expect(text).not.toContain('x'.repeat(200));
  });
});

describe('a code', () => {
  it('is exchanged once; a second time ends what it gave', async () => {
    const created = await tpp.create();
    const code = codeOf(await tpp.authorise(created));
    const { json } = await tpp.exchange({ code });
    const read = () => tpp.ask('GET /accounts', { consent: created.id, token: json.access_token });
    expect((await read()).status).toBe(200);
    expect(await errorOf({ code })).toBe('invalid_grant');
    const { codes, json: refused } = await read();
    expect(codes).toEqual(['TOKEN_INVALID']);
    expect(refused.tppMessages[0].text).toMatch(
      /^The access token was revoked: its code was used a second time at \d{4}-\S+Z\. Let the PSU authorise again/,
    );
    const refresh = { grant_type: 'refresh_token', refresh_token: json.refresh_token };
    expect(await errorOf(refresh)).toBe('invalid_grant');
  });

  it('needs the verifier of its challenge, and is not lost where it is wrong', async () => {
    const code = await freshCode();
    expect(await errorOf({ code, code_verifier: WRONG })).toBe('invalid_grant');
    expect(await errorOf({ code })).toBe('given');
  });

  it('is bound to its TPP, its client_id and its redirect_uri, and lasts ten minutes', async () => {
    const code = await freshCode();
    expect((await other.exchange({ code })).json.error).toBe('invalid_grant');
    expect(await errorOf({ code, redirect_uri: 'https://tpp.example/other' })).toBe('invalid_grant');
    expect(await errorOf({ code, redirect_uri: BACK })).toBe('given');
    const late = await freshCode();
    tpp.gateway.move(10 * 60_000 + 1_000);
    expect(await errorOf({ code: late })).toBe('invalid_grant');
  });

  it('of twenty exchanges at once is exchanged by one', async () => {
    const code = await freshCode();
    const told = await Promise.all(Array.from({ length: 20 }, () => errorOf({ code })));
    expect(told.sort().slice(-20)).toEqual(['given', ...Array.from({ length: 19 }, () => 'invalid_grant')]);
  });

  it('is none that the bank has not given', async () => {
    expect(await errorOf({ code: 'ab'.repeat(48) })).toBe('invalid_grant');
  });
});

describe('a token', () => {
  it('is refreshed as long as its consent is valid, the older refresh token too', async () => {
    const linked = await tpp.linked({ validUntil: '9999-12-31' }, { psu: 'psu-6' });
    const refresh = (refresh_token: string) => tpp.exchange({ grant_type: 'refresh_token', refresh_token });
    tpp.gateway.move(2 * 3_600_000);
    const read = async (token: string) =>
      (await tpp.ask('GET /accounts', { consent: linked.id, token })).codes.join();
    expect(await read(linked.token)).toBe('TOKEN_EXPIRED');
    const newer = await refresh(linked.refresh);
    expect(await read(newer.json.access_token)).toBe('');
    tpp.gateway.move(80 * DAY_MS);
    expect((await refresh(linked.refresh)).status).toBe(200);
    expect((await refresh(newer.json.refresh_token)).status).toBe(200);
    tpp.gateway.move(10 * DAY_MS);
    expect((await refresh(newer.json.refresh_token)).json.error).toBe('invalid_grant');
  });

  it('of a literal code is the sandbox bank’s', async () => {
    const { json } = await tpp.exchange({ code: 'AIS_VALID_CODE' });
    expect(json.scope).toBe('AIS:VALID_CONSENT_ID');
    const list = await tpp.gateway.call(`${V1}/accounts`, {
      headers: tpp.gateway.accountHeaders(json.access_token),
    });
    expect(list.json.accounts[0].resourceId).toBe('ACCOUNT_ID');
  });
});

describe('an authorization request', () => {
  it('with another return address than the creation’s sends the browser nowhere, whatever else is wrong', async () => {
    const { id, authorisation } = await tpp.create();
    const ask = (more: Record<string, string>) => {
      const query = new URLSearchParams({
        ...{ scope: `AIS:${id}`, client_id: 'VALID_CLIENT_ID', state: 'S8NJ7uqk5fY4EjNvP_G_FtyJu6pUsvH9' },
        ...{ redirect_uri: 'https://evil.example/', response_type: 'code', code_challenge: CHALLENGE },
        ...more,
      });
      const path = `/stdgroup/authorization/authorize/${authorisation}?${query}`;
      return tpp.gateway.call(path, { side: 'psu' });
    };
    for (const wrong of [
      { code_challenge: '' },
      { response_type: 'token' },
      { code_challenge_method: 'S1' },
    ]) {
      const stranger = await ask(wrong);
      expect([stranger.status, stranger.headers.location]).toEqual([400, undefined]);
      const own = await ask({ ...wrong, redirect_uri: BACK });
      expect(own.headers.location).toContain(`${BACK}?error=`);
    }
  });
});

describe('discovery', () => {
  it('is of an authorisation, for the TPP that created it', async () => {
    const { authorisation } = await tpp.create();
    const path = `/stdgroup/.well-known/openid-configuration?authorizationId=${authorisation}`;
    expect((await tpp.gateway.call(path)).json.authorization_endpoint).toContain(authorisation);
    expect((await tpp.gateway.call(path, { cert: 'tpp-other' })).codes).toEqual(['RESOURCE_UNKNOWN']);
  });
});

describe('under profile production', () => {
  it.each(['enforce', 'observe'])(
    'a code that comes again ends what it gave, in stance %s',
    async (stance) => {
      const production = await startLivingBank({ profile: 'production', stance });
      onTestFinished(production.gateway.close);
      const client = { client_id: 'PSDBE-NBB-0123456789' };
      const created = await production.create();
      const code = codeOf(await production.authorise(created, client));
      const { json } = await production.exchange({ ...client, code });
      const read = async () =>
        (await production.ask('GET /accounts', { consent: created.id, token: json.access_token })).codes;
      await production.exchange({ ...client, code }, 'bad-expired');
      expect(await read()).toEqual([]);
      const again = await production.exchange({ ...client, code });
      expect(again.json.error).toBe('invalid_grant');
      expect(again.headers['sandgate-source']).toBe(stance === 'enforce' ? 'rule' : 'emulator');
      expect(await read()).toEqual(['TOKEN_INVALID']);
    },
  );

  it.each(['client_id', 'code_verifier', 'redirect_uri'])(
    'a code that comes again ends what it gave though %s is empty',
    async (field) => {
      const production = await startLivingBank({ profile: 'production' });
      onTestFinished(production.gateway.close);
      const client = { client_id: 'PSDBE-NBB-0123456789' };
      const created = await production.create();
      const code = codeOf(await production.authorise(created, client));
      const { json } = await production.exchange({ ...client, code });
      const again = await production.exchange({ ...client, code, [field]: '' });
      expect([again.status, again.headers['sandgate-source']]).toEqual([400, 'rule']);
      const read = { consent: created.id, token: json.access_token };
      expect((await production.ask('GET /accounts', read)).codes).toEqual(['TOKEN_INVALID']);
    },
  );

  it('a TPP comes by its own name, with a plain challenge too', async () => {
    const production = await startLivingBank({ profile: 'production' });
    const client = { client_id: 'PSDBE-NBB-0123456789' };
    const created = await production.create();
    const plain = { code_challenge: VERIFIER, code_challenge_method: 'plain' };
    const code = codeOf(await production.authorise(created, { ...client, ...plain }));
    const { status, json, text } = await production.exchange({ ...client, code });
    expect(status, text).toBe(200);
    const list = await production.ask('GET /accounts', { consent: created.id, token: json.access_token });
    expect(list.status, list.text).toBe(200);
    await production.gateway.close();
  });
});
