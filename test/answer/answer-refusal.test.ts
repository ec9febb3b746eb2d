import { describe, expect, it } from 'vitest';
import { answerRefusal } from '../../src/answer/index.js';
import type { Refusal } from '../../src/rules/index.js';
import { oauthError, problem, tppMessages } from '../../src/spec/index.js';
import { aCall, REQUEST_ID } from '../builders.js';
import { jsonOf } from './an-emulator.js';

const MESSAGES: Refusal = {
  kind: 'messages',
  status: 401,
  messages: [
    { code: 'TOKEN_INVALID', text: 'The token is another one.', path: 'header Authorization' },
    { code: 'FORMAT_ERROR', text: 'x'.repeat(900) },
  ],
  headers: [['WWW-Authenticate', 'Bearer error="invalid_token"']],
};

const redirect: Refusal = {
  kind: 'redirect',
  error: 'invalid_scope',
  description: 'No "such" scope – ünknown',
};
const authorize = (query: string) => aCall({ operation: 'oauth.authorize', query });

describe('a refusal with messages', () => {
  it('is a tppMessages body with all of them, the id of the request and the extra headers', () => {
    const answer = answerRefusal(MESSAGES, aCall(), 'rule');
    expect(answer).toMatchObject({ source: 'rule', status: 401 });
    expect(answer.header).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-request-id': REQUEST_ID,
      'www-authenticate': 'Bearer error="invalid_token"',
    });
    expect(tppMessages.safeParse(jsonOf(answer)).success).toBe(true);
    expect(jsonOf(answer).tppMessages).toEqual([
      {
        category: 'ERROR',
        code: 'TOKEN_INVALID',
        text: 'The token is another one.',
        path: 'header Authorization',
      },
      { category: 'ERROR', code: 'FORMAT_ERROR', text: 'x'.repeat(500) },
    ]);
    expect(JSON.parse(answer.body?.text ?? '')).toEqual(jsonOf(answer));
  });

  it('says the place of a fault once in problem+json, also where its text begins with it', () => {
    const text = 'path consentId: expected a consent that this TPP created, found X.';
    const refusal: Refusal = {
      ...MESSAGES,
      messages: [{ code: 'CONSENT_UNKNOWN', text, path: 'path consentId' }],
    };
    const call = aCall({ headers: { Accept: 'application/problem+json' } });
    expect(jsonOf(answerRefusal(refusal, call, 'rule')).detail).toBe(text);
  });

  it('is problem+json where the caller prefers that', () => {
    const answer = answerRefusal(
      MESSAGES,
      aCall({ headers: { Accept: 'application/problem+json' } }),
      'rule',
    );
    expect(answer.header['content-type']).toBe('application/problem+json');
    expect(problem.safeParse(jsonOf(answer)).success).toBe(true);
    const { type, code, title, detail, additionalErrors } = jsonOf(answer);
    expect(type.length).toBeLessThanOrEqual(70);
    expect(title.length).toBeLessThanOrEqual(70);
    expect({ code, detail }).toEqual({
      code: 'TOKEN_INVALID',
      detail: 'header Authorization: The token is another one.',
    });
    expect(additionalErrors).toEqual([
      { code: 'FORMAT_ERROR', title: 'The format of the request is not right.', detail: 'x'.repeat(500) },
    ]);
  });

  it('names the allowed methods with 405', () => {
    const refusal: Refusal = {
      kind: 'messages',
      status: 405,
      messages: [{ code: 'SERVICE_INVALID', text: 'no' }],
      headers: [],
    };
    const call = aCall({ operation: 'consents.read', method: 'PATCH' });
    expect(answerRefusal(refusal, call, 'rule').header.allow).toBe('GET, HEAD, DELETE');
    const told = { ...refusal, headers: [['Allow', 'GET']] as const };
    expect(answerRefusal(told, call, 'rule').header.allow).toBe('GET');
  });

  it('gives an id back on an unknown path, where one was sent', () => {
    const call = aCall({ target: '/nowhere', headers: { 'X-Request-ID': REQUEST_ID } });
    expect(answerRefusal(MESSAGES, call, 'rule').header['x-request-id']).toBe(REQUEST_ID);
    const silent = aCall({ target: '/nowhere', headers: { 'X-Request-ID': undefined } });
    expect(answerRefusal(MESSAGES, silent, 'rule').header['x-request-id']).toBeUndefined();
  });

  it.each(['a\r\nSet-Cookie: x', '\u4e00', 'x'.repeat(201)])('never sends back the id %j', (id) => {
    const call = aCall({ headers: { 'X-Request-ID': id } });
    expect(answerRefusal(MESSAGES, call, 'rule').header['x-request-id']).toBeUndefined();
  });

  it('is a page on the listener of the browser', () => {
    const call = aCall({ target: '/<script>', listener: 'psu' });
    const answer = answerRefusal(
      { ...MESSAGES, status: 404, messages: [{ code: 'RESOURCE_UNKNOWN', text: 'No <b>such</b> path.' }] },
      call,
      'rule',
    );
    expect(answer.status).toBe(404);
    expect(answer.header['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.body?.text).toContain('No &lt;b&gt;such&lt;/b&gt; path.');
  });

  it('has headers only where HEAD was asked', () => {
    const get = answerRefusal(MESSAGES, aCall(), 'rule');
    const head = answerRefusal(MESSAGES, aCall({ method: 'HEAD' }), 'rule');
    expect(head.body).toBeNull();
    expect(head.header['content-length']).toBe(String(get.body?.size));
  });
});

describe('a refusal of the token endpoint', () => {
  const call = aCall({ operation: 'oauth.token', headers: { 'X-Request-ID': REQUEST_ID } });

  it('is the JSON of OAuth, not to be kept, without X-Request-ID', () => {
    const answer = answerRefusal(
      { kind: 'token', error: 'invalid_grant', description: 'say "no" \\ ü\n' },
      call,
      'rule',
    );
    expect(answer.status).toBe(400);
    expect(jsonOf(answer)).toEqual({ error: 'invalid_grant', error_description: "say 'no' ? ??" });
    expect(oauthError.safeParse(jsonOf(answer)).success).toBe(true);
    expect(answer.header).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
    expect(answer.header['x-request-id']).toBeUndefined();
  });

  it('answers an Authorization header that was tried with its scheme', () => {
    const refusal: Refusal = { kind: 'token', error: 'invalid_client', description: 'no' };
    const tried = aCall({ operation: 'oauth.token', headers: { Authorization: 'Basic YTpi' } });
    expect(answerRefusal(refusal, call, 'rule').header['www-authenticate']).toBeUndefined();
    expect(answerRefusal(refusal, tried, 'rule')).toMatchObject({ status: 401 });
    expect(answerRefusal(refusal, tried, 'rule').header['www-authenticate']).toBe('Basic realm="token"');
  });
});

describe('a refusal at the redirect', () => {
  it('goes to the redirect URI with error, description and the state as it came', () => {
    const query = new URLSearchParams({ redirect_uri: 'https://tpp.example/cb?a=1', state: 'x &=#"<ü+' });
    const answer = answerRefusal(redirect, authorize(query.toString()), 'rule');
    expect(answer.status).toBe(302);
    const location = new URL(answer.header.location ?? '');
    expect(location.origin + location.pathname).toBe('https://tpp.example/cb');
    expect(Object.fromEntries(location.searchParams)).toEqual({
      a: '1',
      error: 'invalid_scope',
      error_description: "No 'such' scope ? ?nknown",
      state: 'x &=#"<ü+',
    });
  });

  it('stands before the fragment of the redirect URI', () => {
    const answer = answerRefusal(redirect, authorize('redirect_uri=https://a.b/%23f'), 'rule');
    const { search, hash } = new URL(answer.header.location ?? '');
    expect([search.startsWith('?error='), hash]).toEqual([true, '#f']);
  });

  it('says no state where none was sent', () => {
    const answer = answerRefusal(redirect, authorize('redirect_uri=https://tpp.example/cb'), 'rule');
    expect(new URL(answer.header.location ?? '').searchParams.has('state')).toBe(false);
  });

  it.each(['', 'redirect_uri=', 'redirect_uri=javascript:alert(1)', 'redirect_uri=/cb'])(
    'stays on a page where the redirect URI is none: %j',
    (query) => {
      const answer = answerRefusal(redirect, authorize(query), 'rule');
      expect(answer.status).toBe(400);
      expect(answer.header.location).toBeUndefined();
      expect(answer.header['content-type']).toContain('text/html');
    },
  );
});

describe('a refusal by page', () => {
  const answer = answerRefusal(
    { kind: 'page', status: 400, title: 'Wrong <client>', text: 'client_id "x" & more' },
    authorize(''),
    'rule',
  );

  it('shows title and text, escaped', () => {
    expect(answer.status).toBe(400);
    expect(answer.body?.text).toContain('<h1>Wrong &lt;client&gt;</h1>');
    expect(answer.body?.text).toContain('client_id &quot;x&quot; &amp; more');
  });

  it('cannot be framed, kept, or run anything', () => {
    expect(answer.header).toMatchObject({
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.header['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
  });
});
