/** Faults in hostile hands, and before banks that answer in codings of their own. */
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import Sqlite from 'better-sqlite3';
import { Agent, request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type AtBank, type BankBehind, openBankBehind } from './bank-behind.js';
import { temporaryFolder } from './child.js';
import { CHALLENGE, contextOf, REQUEST_ID } from './harness.js';
import { startLivingBank } from './living.js';

const CONSENT = '/stdgroup/v1/consents/VALID_CONSENT_ID';

type Answer = (request: AtBank, response: Parameters<Parameters<typeof openBankBehind>[0]>[1]) => void;

async function behind(answer: Answer, settings: Record<string, unknown> = {}): Promise<BankBehind> {
  const bank = await openBankBehind(answer, settings);
  onTestFinished(bank.close);
  return bank;
}

const json =
  (value: unknown): Answer =>
  (_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
  };

describe('before a real bank', () => {
  it.each(['unknown-status', 'html', 'media-type', 'truncate'])(
    'what %s makes of a compressed answer can be read by its Content-Encoding',
    async (kind) => {
      const bank = await behind((_, response) => {
        const bytes = gzipSync(JSON.stringify({ consentStatus: 'valid' }));
        response
          .writeHead(200, {
            'Content-Type': 'application/json',
            'Content-Encoding': 'gzip',
            'Content-Length': bytes.length,
          })
          .end(bytes);
      });
      await bank.gateway.app.faults.add({ id: 'f', do: { kind } });
      const answer = await decoded(bank);
      expect(answer).not.toContain('\u001f');
      const seen = { 'unknown-status': 'XXXX', html: 'Online', 'media-type': 'valid', truncate: '{"con' }[
        kind
      ];
      expect(answer).toContain(seen);
    },
  );

  it('a fault that changes nothing in an answer is not counted as one that did', async () => {
    let calls = 0;
    const bank = await behind((request, response) => {
      json(calls++ === 0 ? { text: 'none' } : { consentStatus: 'valid' })(request, response);
    });
    await bank.gateway.app.faults.add({ id: 'f', count: 1, do: { kind: 'unknown-status' } });
    expect((await bank.gateway.call(CONSENT)).text).toBe('{"text":"none"}');
    expect(bank.gateway.app.faults.list()).toMatchObject([{ times: 0 }]);
    expect((await bank.gateway.call(CONSENT)).json).toEqual({ consentStatus: 'XXXX' });
    expect(bank.gateway.app.faults.list()).toMatchObject([{ times: 1 }]);
  });

  it('an answer nested without end is changed, or passed on, and not lost', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const bank = await behind((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(deep);
    });
    await bank.gateway.app.faults.add({ id: 'f', do: { kind: 'unknown-member' } });
    const { status, text } = await bank.gateway.call(CONSENT);
    expect([status, text.length]).toEqual([200, deep.length]);
  });

  it('nothing reaches it that a fault answers', async () => {
    const bank = await behind(json({ consentStatus: 'valid' }));
    for (const kind of ['cut', 'reset', 'status', 'maintenance'])
      await bank.gateway.app.faults.add({
        id: kind,
        count: 1,
        do: kind === 'status' ? { kind, status: 503 } : { kind },
      });
    for (let i = 0; i < 4; i++) await bank.gateway.call(CONSENT).catch(() => {});
    expect(bank.seen).toEqual([]);
  });
});

/** As a client takes it that undoes the coding. */
async function decoded({ gateway }: BankBehind): Promise<string> {
  const dispatcher = new Agent({ connect: { secureContext: contextOf(gateway.certs, 'tpp') } });
  onTestFinished(() => dispatcher.close());
  const { body, headers } = await request(`${gateway.urls.api}${CONSENT}`, {
    dispatcher,
    headers: { 'X-Request-ID': REQUEST_ID },
  });
  const bytes = Buffer.from(await body.arrayBuffer());
  return (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}

describe('what counts a fault', () => {
  it('goes when the fault goes, however many come and go', async () => {
    const store = join(temporaryFolder(), 'store.db');
    const tpp = await startLivingBank({ store });
    onTestFinished(tpp.gateway.close);
    const { app } = tpp.gateway;
    const held = async () => {
      await app.recorder.drain();
      const db = new Sqlite(store, { readonly: true });
      const all = db.prepare("SELECT key FROM facts WHERE family = 'bankFaults' AND fact IS NOT NULL");
      const keys = all.pluck().all();
      db.close();
      return keys;
    };
    for (let i = 0; i < 12; i++) {
      await app.faults.add({ id: `f${i}`, count: 1, do: { kind: 'status', status: 503 } });
      await tpp.gateway.call(CONSENT);
      if (i === 5) expect(await held()).toEqual(['f5']);
      await (i % 2 === 0 ? app.faults.remove(`f${i}`) : app.faults.clear());
    }
    expect(await held()).toEqual([]);
  });
});

describe('a return that is disturbed', () => {
  const SCRIPT = `https://a;b,c'd/back?x="><script>alert(1)</script>`;
  it.each([
    ['return/twice', 'myapp://back', 200, 'frame-src myapp:'],
    ['return/twice', 'https://tpp.example/back;script-src', 200, 'frame-src https://tpp.example'],
    ['return/no-state', 'myapp://back', 302, ''],
    ...['/back', '//evil.example/back', 'javascript:alert(1)//', SCRIPT].flatMap((address) => [
      ['return/twice', address, 400, "frame-ancestors 'none'"] as const,
      ['return/no-state', address, 400, "frame-ancestors 'none'"] as const,
    ]),
  ] as const)('by %s leads to %s only where that is an address', async (kind, address, status, policy) => {
    const tpp = await startLivingBank({ stance: 'observe' });
    onTestFinished(() => tpp.gateway.app.close());
    await tpp.gateway.app.faults.add({ id: 'f', where: 'listener:psu', do: { kind } });
    const asked = status === 400 ? {} : { 'TPP-Redirect-URI': address };
    const { id, authorisation } = await tpp.create({}, asked);
    const { json } = await tpp.gateway.call(
      `/stdgroup/.well-known/openid-configuration?authorizationId=${authorisation}`,
    );
    const query = new URLSearchParams({
      ...{ scope: `AIS:${id}`, client_id: 'VALID_CLIENT_ID', redirect_uri: address, response_type: 'code' },
      ...{ code_challenge: CHALLENGE, code_challenge_method: 'S256', scenario: 'SCA_OK', psu: 'psu-1' },
      state: 'S8NJ7uqk5fY4EjNvP_G_FtyJu6pUsvH9jsYni9dMAJw',
    });
    const answer = await tpp.gateway.call(`${json.authorization_endpoint}?${query}`, { side: 'psu' });
    expect(answer.status).toBe(status);
    expect(answer.headers['content-security-policy'] ?? '').toMatch(new RegExp(`${policy}$`));
    expect(answer.text).not.toContain('<script>');
  });
});
