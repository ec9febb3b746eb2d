/** The links of a real answer lead back through the gateway, and its length and coding stay right. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { GATEWAY, openWay, startBank, type WayParts, wireOf } from './bank.js';
import { createFiles, mintCertificates } from './certificates.js';

const certificates = mintCertificates();
const files = createFiles();
const open: { close: () => Promise<void> }[] = [];

afterEach(async () => {
  for (const it of open.splice(0).reverse()) await it.close();
});
afterAll(files.remove);

/** A bank with pages at another origin; `answer` gives status, fields and body for its own base URL. */
async function ask(
  answer: (base: string) => { status?: number; headers?: Record<string, string>; body: string | Buffer },
  call: Parameters<ReturnType<typeof openWay>['answer']>[0] = {},
  parts: Partial<WayParts> = {},
) {
  const bank = await startBank(certificates, (_: IncomingMessage, response: ServerResponse) => {
    const { status = 200, headers = {}, body } = answer(bank.url.origin);
    const length = Buffer.byteLength(body);
    response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': length, ...headers });
    response.end(body);
  });
  open.push(bank);
  const way = openWay(files, certificates, {
    target: bank.url,
    psuTarget: new URL('https://web.bank.example'),
    ...parts,
  });
  open.push(way.upstream);
  return { answered: await way.answer(call), base: bank.url.origin };
}

const consent = (base: string) =>
  `{"consentId" : "é","_links":{"self":{"href":"${base}/stdgroup/v1/consents/1"},"scaOAuth":{"href":"https://web.bank.example/stdgroup/authorization/authorize/1?a"},"tpp":{"href":"https://tpp.example/"}},"text":"${base}/x"}`;
const led = (base: string) =>
  `{"consentId" : "é","_links":{"self":{"href":"${GATEWAY.api}/stdgroup/v1/consents/1"},"scaOAuth":{"href":"${GATEWAY.psu}/stdgroup/authorization/authorize/1?a"},"tpp":{"href":"https://tpp.example/"}},"text":"${base}/x"}`;

describe('an answer with links', () => {
  it('is led through the gateway, with its new length', async () => {
    const { answered, base } = await ask((origin) => ({
      status: 201,
      headers: {
        Location: `${origin}/stdgroup/v1/consents/1`,
        'Content-Location': `${origin}/stdgroup/v1/consents/2`,
      },
      body: consent(origin),
    }));
    const text = wireOf(answered).toString();
    expect(text).toBe(led(base));
    expect(answered.answer.body).toEqual({ text, size: Buffer.byteLength(text) });
    expect(answered.answer.header).toMatchObject({
      'content-length': String(Buffer.byteLength(text)),
      location: `${GATEWAY.api}/stdgroup/v1/consents/1`,
      'content-location': `${GATEWAY.api}/stdgroup/v1/consents/2`,
    });
    expect(answered.answer.headers.filter(([name]) => name === 'Content-Length')).toHaveLength(1);
    expect(answered.answer.content).toEqual({ kind: 'json', value: JSON.parse(text) });
  });

  it.each([
    ['gzip', gzipSync, gunzipSync],
    ['br', brotliCompressSync, brotliDecompressSync],
    [
      'gzip, br',
      (b: Buffer) => brotliCompressSync(gzipSync(b)),
      (b: Buffer) => gunzipSync(brotliDecompressSync(b)),
    ],
  ])('is coded again in %s', async (coding, encode, decode) => {
    const { answered, base } = await ask((origin) => ({
      headers: { 'Content-Encoding': coding },
      body: encode(Buffer.from(consent(origin))),
    }));
    const wire = wireOf(answered);
    expect(decode(wire).toString()).toBe(led(base));
    expect(answered.answer.body).toEqual({ text: led(base), size: wire.length });
    expect(answered.answer.header['content-encoding']).toBe(coding);
  });

  it.each([
    ['the switch is off', {}, { rewrite: false }],
    ['it is no JSON', { 'Content-Type': 'text/html' }, {}],
    ['it is signed', { Signature: 'keyId="x"' }, {}],
    ['it has a digest', { Digest: 'SHA-256=x' }, {}],
  ])('stays as it is where %s', async (_, headers, parts) => {
    const { answered, base } = await ask(
      (origin) => ({ headers: headers as Record<string, string>, body: consent(origin) }),
      {},
      parts,
    );
    expect(wireOf(answered).toString()).toBe(consent(base));
  });

  it('stays as it is where it is no JSON but says so', async () => {
    const { answered, base } = await ask((origin) => ({ body: `${consent(origin)}}` }));
    expect(wireOf(answered).toString()).toBe(`${consent(base)}}`);
    expect(answered.answer.content.kind).toBe('unparseable');
  });

  it('that has none to turn is the very same bytes, whatever they are', async () => {
    const body = Buffer.from('\ufeff {"a" : 1.0e0, "\\u0061":"\\/" }\n');
    const { answered } = await ask(() => ({ body }));
    expect(wireOf(answered)).toEqual(body);
  });

  it('from a bank with a base path loses that path', async () => {
    const bankBody = (origin: string) =>
      `{"_links":{"self":{"href":"${origin}/sandbox/stdgroup/v1/consents/1"},"status":{"href":"/sandbox/stdgroup/v1/consents/1/status"}}}`;
    const started = await startBank(certificates, (request, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(request.url === '/sandbox/stdgroup/v1/consents/1' ? bankBody(started.url.origin) : '{}');
    });
    open.push(started);
    const way = openWay(files, certificates, { target: new URL('/sandbox/', started.url) });
    open.push(way.upstream);
    const answered = await way.answer({ target: '/stdgroup/v1/consents/1' });
    expect(JSON.parse(wireOf(answered).toString())).toEqual({
      _links: {
        self: { href: `${GATEWAY.api}/stdgroup/v1/consents/1` },
        status: { href: '/stdgroup/v1/consents/1/status' },
      },
    });
  });
});

it('A discovery document leads to the gateway with all its endpoints', async () => {
  const { answered, base } = await ask(
    (origin) => ({
      body: JSON.stringify({
        issuer: origin,
        authorization_endpoint: 'https://web.bank.example/public/authorize/1',
        token_endpoint: `${origin}/stdgroup/v1/token`,
        userinfo_endpoint: `${origin}/stdgroup/v1/accounts`,
        op_policy_uri: `${origin}/policy`,
        mtls_endpoint_aliases: { token_endpoint: `${origin}/stdgroup/v1/token` },
        scopes_supported: ['account', `${origin}/x`],
      }),
    }),
    { operation: 'oauth.discovery' },
  );
  expect(JSON.parse(wireOf(answered).toString())).toEqual({
    issuer: GATEWAY.api,
    authorization_endpoint: `${GATEWAY.psu}/public/authorize/1`,
    token_endpoint: `${GATEWAY.api}/stdgroup/v1/token`,
    userinfo_endpoint: `${GATEWAY.api}/stdgroup/v1/accounts`,
    op_policy_uri: `${base}/policy`,
    mtls_endpoint_aliases: { token_endpoint: `${GATEWAY.api}/stdgroup/v1/token` },
    scopes_supported: ['account', `${base}/x`],
  });
});
