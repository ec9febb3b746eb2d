/** Faults of certificates: what a client sees of the handshake, and what is recorded of it. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, connect } from 'node:tls';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ensureCertificates } from '../../src/app/certificates/ensure.js';
import { makeKeyPair, renderKey } from '../../src/app/certificates/key-pairs.js';
import { createAuthority } from '../../src/certificate/index.js';
import { DAY_MS, startTestGateway, type TestGateway } from './harness.js';

const PATH = '/stdgroup/v1/consents/VALID_CONSENT_ID/status';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
  return gateway.close;
});
beforeEach(async () => {
  await gateway.app.faults.clear();
  // So many failed connections are recorded a second.
  gateway.move(2_000);
});

const add = (name: string, more: object = {}, parameters: object = {}) =>
  gateway.app.faults.add({ id: 'f', ...more, do: { kind: `certificate/${name}`, ...parameters } });

const port = () => Number(new URL(gateway.urls.api).port);
const identity = () => ({
  ca: gateway.file('ca.pem'),
  cert: gateway.file('tpp.pem'),
  key: gateway.file('tpp.key'),
});

/** The status of a call over a connection of its own, or the code of the error. */
function ask(agent: Agent | false = false): Promise<number | string> {
  return new Promise((resolve) => {
    const options = { ...identity(), agent, port: port(), host: '127.0.0.1', path: PATH };
    get(options, (response) => response.resume().on('end', () => resolve(response.statusCode ?? 0))).on(
      'error',
      ({ code, message }: NodeJS.ErrnoException) => resolve(code === 'EPROTO' ? message : (code ?? message)),
    );
  });
}

/** A handshake by a client that takes any certificate. */
async function shake(options: ConnectionOptions = {}) {
  const to = { ...identity(), host: '127.0.0.1', port: port(), rejectUnauthorized: false };
  const socket = connect({ ...to, ...options });
  onTestFinished(() => void socket.destroy());
  const session = new Promise<Buffer>((resolve) => socket.once('session', resolve));
  await once(socket, 'secureConnect');
  // Node gives it out once.
  const certificate = socket.getPeerX509Certificate() as X509Certificate;
  return { socket, session, certificate };
}

async function failed() {
  const records = await gateway.records();
  return records.flatMap(({ exchange: { call, fault, injected } }) =>
    call.request.method === '' ? [{ fault: fault?.kind, message: fault?.message, injected }] : [],
  );
}

describe('a fault of the server certificate', () => {
  it.each([
    ['server-expired', 'CERT_HAS_EXPIRED'],
    [
      'server-unknown-ca',
      /^(?:SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:GET_ISSUER_CERT_LOCALLY|VERIFY_LEAF_SIGNATURE))$/,
    ],
  ])('%s: the client refuses the gateway, and that is recorded', async (name, code) => {
    const before = await failed();
    await add(name, { count: 1 });
    expect(await ask()).toEqual(expect.stringMatching(code));
    expect(await ask()).toBe(200);
    expect(gateway.app.faults.list()).toMatchObject([{ times: 1 }]);
    await expect
      .poll(async () => (await failed()).slice(before.length))
      .toMatchObject([
        { fault: 'injected', injected: { fault: 'f', kind: `certificate/${name}`, did: null } },
      ]);
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'of a client that checks it within the handshake is recorded too (%s)',
    async (maxVersion) => {
      const before = (await failed()).length;
      await add('server-unknown-ca');
      const { socket } = await shake({ maxVersion });
      socket.destroy();
      await expect.poll(async () => (await failed()).length).toBe(before + 1);
    },
  );

  it('server-renewed: the client gets another key of the same CA, and calls go on', async () => {
    await add('server-renewed');
    const { certificate } = await shake({ rejectUnauthorized: true });
    const own = new X509Certificate(gateway.file('server.pem'));
    expect(certificate.subjectAltName).toBe(own.subjectAltName);
    expect(certificate.publicKey.equals(own.publicKey)).toBe(false);
    expect(await ask()).toBe(200);
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'is seen by a client that resumes a session (%s)',
    async (maxVersion) => {
      const shaken = async (session?: Buffer) => {
        const made = await shake({ maxVersion, ...(session === undefined ? {} : { session }) });
        const key = made.certificate?.publicKey.export({ type: 'spki', format: 'pem' });
        return { ...made, isResumed: made.socket.isSessionReused(), key };
      };
      const own = new X509Certificate(gateway.file('server.pem')).publicKey.export({
        type: 'spki',
        format: 'pem',
      });
      const first = await shaken();
      expect((await shaken(await first.session)).isResumed).toBe(true);
      await add('server-renewed');
      const met = await shaken(await first.session);
      expect([met.isResumed, met.key === own]).toEqual([false, false]);
      await gateway.app.faults.clear();
      const after = await shaken(await met.session);
      expect([after.isResumed, after.key]).toEqual([false, own]);
    },
  );

  it('leaves connections that are open as they are', async () => {
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    expect(await ask(agent)).toBe(200);
    await add('server-expired');
    expect([await ask(agent), await ask()]).toEqual([200, 'CERT_HAS_EXPIRED']);
  });

  it('meets connections by after, share and during', async () => {
    await add('server-expired', { after: 1, count: 1 });
    expect([await ask(), await ask(), await ask()]).toEqual([200, 'CERT_HAS_EXPIRED', 200]);
    await gateway.app.faults.clear();
    await add('server-expired', { during: ['2020-01-01', '2020-01-02'] });
    expect(await ask()).toBe(200);
  });

  it('asks only for the listener, and for the key of the CA', async () => {
    const tried = (row: object) => Promise.resolve().then(() => gateway.app.faults.add(row));
    const expired = { kind: 'server-expired' };
    await expect(tried({ id: 'a', where: 'tpp:PSD*', do: expired })).rejects.toThrow(
      'fault.where: tpp is not known yet when a connection opens.',
    );
    await tried({ id: 'b', where: 'listener:psu', do: expired });
    expect(await ask()).toBe(200);
  });
});

describe('a fault of the client certificate', () => {
  it.each([
    [{}, /alert bad certificate/],
    [{ alert: 'unknown_ca' }, /alert unknown ca/],
    [{ alert: 'certificate_revoked' }, /alert certificate revoked/],
  ])(
    'client-refused %j: the handshake ends with the alert, and that is recorded',
    async (parameters, code) => {
      const before = (await failed()).length;
      await add('client-refused', { count: 1 }, parameters);
      expect([await ask(), await ask()]).toEqual([expect.stringMatching(code), 200]);
      expect((await failed()).slice(before)).toMatchObject([
        { fault: 'injected', injected: { kind: 'certificate/client-refused' } },
      ]);
    },
  );

  it('client-revoked: calls are refused with 401 as by a bank, and the bank is not asked', async () => {
    await add('client-revoked');
    const refused = await gateway.call(PATH);
    expect([refused.status, refused.codes]).toEqual([401, ['CERTIFICATE_REVOKED']]);
    expect(refused.headers).toMatchObject({ 'sandgate-injected': 'f', 'sandgate-source': 'gateway' });
    const form = { grant_type: 'authorization_code', client_id: 'VALID_CLIENT_ID', code: 'AIS_VALID_CODE' };
    const token = await gateway.call('/stdgroup/v1/token', {
      form: { ...form, code_verifier: 'x'.repeat(43) },
    });
    expect([token.status, token.json.error]).toEqual([401, 'invalid_client']);
  });
});

it('a fault that signs needs the key of the CA', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'sandgate-no-key-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const now = Date.now();
  const keys = await makeKeyPair('ec-p256');
  const ca = createAuthority({
    ...{ keys, subject: { commonName: 'A CA of the user' }, serialNumber: Uint8Array.of(1) },
    ...{ notBefore: now - 500 * DAY_MS, notAfter: now + 4_000 * DAY_MS },
  });
  writeFileSync(join(dir, 'ca.pem'), ca.pem);
  writeFileSync(join(dir, 'ca.key'), renderKey(keys.privateKey));
  await ensureCertificates(dir, now, undefined, now, () => makeKeyPair('ec-p256'));
  rmSync(join(dir, 'ca.key'));
  const other = await startTestGateway({ certs: dir });
  onTestFinished(other.close);
  const tried = Promise.resolve().then(() =>
    other.app.faults.add({ id: 'a', do: { kind: 'server-renewed' } }),
  );
  await expect(tried).rejects.toThrow(
    /^The fault a \(certificate\/server-renewed\) needs the key of the CA, which is not there/,
  );
  await other.app.faults.add({ id: 'b', do: { kind: 'server-unknown-ca' } });
});
