/** Strict TLS: a client whose certificate is no good gets an alert in the handshake, and never comes to ask anything. */
import { createCipheriv, createHmac } from 'node:crypto';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type CertificateFacts, isForClients } from '../certificate/index.js';
import type { Peer } from './arrivals.js';
import { tcpOf } from './connection-faults.js';
import { endWith } from './end-connection.js';

interface StrictParts {
  readonly server: HttpsServer;
  readonly peerOf: (socket: Socket) => Peer;
  /** Epoch ms. */
  readonly clock: () => number;
  /** Whether the handshake is that of a load balancer, which tells of a certificate later. */
  readonly isSpared: (socket: Socket) => boolean;
  readonly onRefused: (peer: Peer, message: string) => void;
}

/** By its number (RFC 8446 6.2): what OpenSSL answers for the same fault. */
interface Refusal {
  readonly alert: number;
  readonly name: string;
  readonly why: string;
}

/** TLS 1.2 knows no certificate_required. */
const absence = (isLate: boolean): Refusal =>
  isLate
    ? { alert: 116, name: 'certificate_required', why: 'the client shows no certificate' }
    : { alert: 40, name: 'handshake_failure', why: 'the client shows no certificate' };

function refusalOf(facts: CertificateFacts, now: number): Refusal | null {
  if (!facts.chain.trusted)
    return { alert: 48, name: 'unknown_ca', why: 'no trusted CA stands behind the client certificate' };
  if (facts.revocation.status === 'revoked')
    return { alert: 44, name: 'certificate_revoked', why: 'the client certificate is revoked' };
  if (now < Date.parse(facts.notBefore))
    return { alert: 42, name: 'bad_certificate', why: 'the client certificate is not valid yet' };
  if (!(now <= Date.parse(facts.notAfter)))
    return { alert: 45, name: 'certificate_expired', why: 'the client certificate has expired' };
  if (!isForClients(facts))
    return { alert: 43, name: 'unsupported_certificate', why: 'the client certificate lacks clientAuth' };
  return null;
}

/**
 * From now on nobody hears of a connection that is refused. Node lets every certificate pass, and has no word for an alert; but
 * when it tells that the handshake is over, nothing of the server's last flight has left yet. So the alert goes out in its
 * place: in the clear up to TLS 1.2, later as the first record under the server's traffic secret.
 */
export function refuseStrictly({ server, peerOf, clock, isSpared, onRefused }: StrictParts): void {
  const secrets = new WeakMap<TLSSocket, Buffer>();
  server.on('keylog', (line, socket) => {
    const [label, , secret = ''] = line.toString('latin1').trim().split(' ');
    if (label === 'SERVER_TRAFFIC_SECRET_0') secrets.set(socket, Buffer.from(secret, 'hex'));
  });
  const ordinary = server.listeners('secureConnection');
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket) => {
    const secret = secrets.get(socket);
    secrets.delete(socket);
    const peer = peerOf(socket);
    const { certificate } = peer;
    const isLate = socket.getProtocol() === 'TLSv1.3';
    const refusal = typeof certificate === 'string' ? absence(isLate) : refusalOf(certificate, clock());
    if (refusal === null || isSpared(socket)) {
      for (const listening of ordinary) listening.call(server, socket);
      return;
    }
    const { alert, name, why } = refusal;
    socket.on('error', () => {});
    endWith(
      tcpOf(socket),
      isLate ? sealedAlert(alert, secret, socket.getCipher().standardName) : plainAlert(alert),
    );
    onRefused(peer, `The handshake was refused with TLS alert ${alert} (${name}): ${why}.`);
  });
}

const FATAL = 2;
const ALERT = 21;
const plainAlert = (alert: number): Uint8Array => Uint8Array.from([ALERT, 3, 3, 0, 2, FATAL, alert]);

const TAG = 16;
/** By what the names of their suites end in. */
const SEALS = [
  {
    suite: 'AES_128_GCM_SHA256',
    ...{ size: 16, hash: 'sha256' },
    open: (key: Buffer, iv: Buffer) => createCipheriv('aes-128-gcm', key, iv),
  },
  {
    suite: 'AES_256_GCM_SHA384',
    ...{ size: 32, hash: 'sha384' },
    open: (key: Buffer, iv: Buffer) => createCipheriv('aes-256-gcm', key, iv),
  },
  {
    suite: 'CHACHA20_POLY1305_SHA256',
    ...{ size: 32, hash: 'sha256' },
    open: (key: Buffer, iv: Buffer) => createCipheriv('chacha20-poly1305', key, iv, { authTagLength: TAG }),
  },
] as const;

/** The record number 0 (RFC 8446 5.2); empty, so that the connection only ends, where it cannot be made. */
function sealedAlert(alert: number, secret: Buffer | undefined, suite: string): Uint8Array {
  const known = SEALS.find((one) => suite.endsWith(one.suite));
  if (secret === undefined || known === undefined) return new Uint8Array();
  const { size, hash, open } = known;
  const key = expand(hash, secret, 'key', size);
  const head = Buffer.from([23, 3, 3, 0, 3 + TAG]);
  const seal = open(key, expand(hash, secret, 'iv', 12));
  seal.setAAD(head, { plaintextLength: 3 });
  return Buffer.concat([
    head,
    seal.update(Uint8Array.from([FATAL, alert, ALERT])),
    seal.final(),
    seal.getAuthTag(),
  ]);
}

/** HKDF-Expand-Label (RFC 8446 7.1) without context, for at most one block. */
function expand(hash: string, secret: Buffer, label: string, size: number): Buffer {
  const name = Buffer.from(`tls13 ${label}`);
  const info = Buffer.concat([Uint8Array.from([0, size, name.length]), name, Uint8Array.from([0, 1])]);
  return createHmac(hash, secret).update(info).digest().subarray(0, size);
}
