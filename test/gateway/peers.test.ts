/** Who is at the other end of a connection: what of a certificate is known from the connections before it, and what never is. */
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CertificateFacts, createTrust, issueCrl, type Trust } from '../../src/certificate/index.js';
import type { Peer } from '../../src/gateway/arrivals.js';
import { createPeers } from '../../src/gateway/peers.js';
import { NOW } from '../builders.js';
import { anAuthority, aQwac, DAY, keys, ROOT, serial } from '../certificate/made.js';

const HOUR = 3_600_000;
const ISSUING = anAuthority('Test Issuing CA', { issuer: ROOT });
const LEAF = aQwac({ authority: ISSUING });
const KEY = keys('ec-p256', 'leaf').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
const TRUST = createTrust({ anchors: [ROOT.pem] });
const revoking = (number: Uint8Array, authority = ISSUING): Trust => {
  const order = { authority, number: 1, thisUpdate: NOW - DAY, nextUpdate: NOW + 30 * DAY };
  const list = issueCrl({ ...order, revoked: [{ serialNumber: number, at: NOW - HOUR }] });
  return createTrust({ anchors: [ROOT.pem], crls: [list.pem] });
};

let server: Server;
let accepted: (socket: TLSSocket) => void = () => {};
beforeAll(async () => {
  const authority = {
    cert: ROOT.pem,
    key: keys('ec-p256', 'Test Root').privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
  server = createServer({ ...authority, requestCert: true, rejectUnauthorized: false }, (s) => accepted(s));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())));

/** Both ends are closed once the test has looked. */
async function open<T>(cert: string, session: Buffer | undefined, look: (socket: TLSSocket) => T) {
  const { port } = server.address() as AddressInfo;
  const looked = new Promise<T>((resolve) => {
    accepted = (socket) => {
      resolve(look(socket));
      socket.end('.');
    };
  });
  const client = connect({
    ...{ host: '127.0.0.1', port, rejectUnauthorized: false, cert, key: KEY },
    ...(session === undefined ? {} : { session }),
  });
  let ticket = session;
  client.on('session', (given: Buffer) => {
    ticket = given;
  });
  client.resume();
  await new Promise((resolve) => client.once('close', resolve));
  return { seen: await looked, session: ticket as Buffer };
}

function peersWith(trust = TRUST) {
  let trusted = trust;
  let now = NOW;
  const peers = createPeers({ trust: () => trusted, clock: () => now });
  return {
    of: (cert: string, session?: Buffer) => open(cert, session, (socket) => peers.of(socket, true)),
    reload: (next: Trust) => {
      trusted = next;
    },
    move: (ms: number) => {
      now += ms;
    },
  };
}

const factsOf = ({ certificate }: Peer) => certificate as CertificateFacts;
const standing = (peer: Peer) => [factsOf(peer).chain.trusted, factsOf(peer).revocation.status];

describe('the chain that a client sends with its certificate', () => {
  it('is followed to the trust anchor', async () => {
    const { seen } = await peersWith().of(LEAF.chainPem);
    expect(factsOf(seen).chain).toMatchObject({ trusted: true });
    expect(factsOf(seen).chain.path).toHaveLength(2);
  });

  it('is known again when its session is resumed', async () => {
    const peers = peersWith();
    const first = await peers.of(LEAF.chainPem);
    const second = await peers.of(LEAF.chainPem, first.session);
    expect(second.seen.connection.tls).toMatchObject({ resumed: true });
    expect(factsOf(second.seen).chain.trusted).toBe(true);
  });

  it('does not stand in for the one that a later connection leaves out', async () => {
    const peers = peersWith();
    await peers.of(LEAF.chainPem);
    expect(factsOf((await peers.of(LEAF.pem)).seen).chain.trusted).toBe(false);
    expect(factsOf((await peers.of(LEAF.chainPem)).seen).chain.trusted).toBe(true);
  });
});

describe('what is known of a certificate', () => {
  it('is the same thing for all connections with it, and their TLS too', async () => {
    const peers = peersWith();
    const first = await peers.of(LEAF.chainPem);
    const second = await peers.of(LEAF.chainPem);
    const resumed = await peers.of(LEAF.chainPem, first.session);
    const again = await peers.of(LEAF.chainPem, first.session);
    expect(second.seen.certificate).toBe(first.seen.certificate);
    expect(second.seen.connection.tls).toBe(first.seen.connection.tls);
    expect(resumed.seen.connection.tls).not.toBe(first.seen.connection.tls);
    expect(again.seen.connection.tls).toBe(resumed.seen.connection.tls);
  });

  it('is not shared with another certificate', async () => {
    const peers = peersWith();
    const first = await peers.of(LEAF.chainPem);
    const other = await peers.of(aQwac({ authority: ISSUING, serialNumber: serial('other') }).chainPem);
    expect(factsOf(other.seen).fingerprint256).not.toBe(factsOf(first.seen).fingerprint256);
    expect(other.seen.connection.tls).not.toBe(first.seen.connection.tls);
  });

  it.each([
    ['its own revocation', revoking(serial('leaf')), [true, 'revoked']],
    ['that of its CA', revoking(serial('Test Issuing CA'), ROOT), [false, 'not-checked']],
    [
      'an anchor that is gone',
      createTrust({ anchors: [anAuthority('Other Root').pem] }),
      [false, 'not-checked'],
    ],
  ])('does not outlive %s, on new connections and resumed ones', async (_, trust, standsNow) => {
    const peers = peersWith();
    const first = await peers.of(LEAF.chainPem);
    expect(standing(first.seen)).toEqual([true, 'not-checked']);
    peers.reload(trust);
    const second = await peers.of(LEAF.chainPem);
    const resumed = await peers.of(LEAF.chainPem, first.session);
    expect(resumed.seen.connection.tls).toMatchObject({ resumed: true });
    expect([standing(second.seen), standing(resumed.seen)]).toEqual([standsNow, standsNow]);
  });

  it('is found out again after an hour, when its CA may have expired', async () => {
    const brief = anAuthority('Brief CA', { issuer: ROOT, notAfter: NOW + HOUR / 2 });
    const { chainPem } = aQwac({ authority: brief });
    const peers = peersWith();
    const first = await peers.of(chainPem);
    expect(factsOf(first.seen).chain.trusted).toBe(true);
    peers.move(HOUR);
    expect(factsOf((await peers.of(chainPem)).seen).chain.trusted).toBe(false);
    expect(factsOf((await peers.of(chainPem, first.session)).seen).chain.trusted).toBe(false);
  });
});
