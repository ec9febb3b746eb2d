/** Certificates for tests of the way to the bank: a CA, servers good and bad, clients of two CAs; made once per file. */
import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createAuthority,
  type IssuingAuthority,
  issueCertificate,
  renderPkcs12,
} from '../../../src/certificate/index.js';

export interface Pair {
  readonly cert: string;
  readonly key: string;
}

const DAY = 86_400_000;
const makeKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();

function validity(from = -DAY, to = 30 * DAY) {
  return {
    serialNumber: randomBytes(8),
    notBefore: Date.now() + from,
    notAfter: Date.now() + to,
  };
}

function authority(commonName: string): IssuingAuthority {
  return createAuthority({ ...validity(), subject: { commonName }, keys: makeKeys() });
}

export function mintCertificates() {
  const [ca, otherCa] = [authority('Bank CA'), authority('Other CA')];
  const mint = (
    commonName: string,
    hosts: readonly string[] = [],
    signer = ca,
    times = validity(),
  ): Pair & { readonly der: Uint8Array; readonly privateKey: KeyObject } => {
    const { publicKey, privateKey } = makeKeys();
    const dnsNames = hosts.filter((host) => !/^[\d.]+$/.test(host));
    const ipAddresses = hosts.filter((host) => /^[\d.]+$/.test(host));
    const subject = { commonName };
    const { pem, der } = issueCertificate({
      ...times,
      authority: signer,
      publicKey,
      subject,
      dnsNames,
      ipAddresses,
    });
    return { cert: pem, key: pemOf(privateKey), der, privateKey };
  };
  const hosts = ['localhost', '127.0.0.1'];
  return {
    ca: { cert: ca.pem, key: pemOf(ca.privateKey) },
    server: mint('bank', hosts),
    expiredServer: mint('bank', hosts, ca, validity(-9 * DAY, -DAY)),
    misnamedServer: mint('bank', ['elsewhere.example']),
    untrustedServer: mint('bank', hosts, otherCa),
    client: mint('gateway'),
    secondClient: mint('gateway-of-other-tpp'),
    foreignClient: mint('stranger', [], otherCa),
  };
}

export type Certificates = ReturnType<typeof mintCertificates>;

/** The pair as PKCS#12. */
export function pkcs12(pair: Certificates['client'], passphrase: string): Uint8Array {
  const { privateKey, der } = pair;
  return renderPkcs12({
    privateKey,
    certificates: [der],
    name: 'gateway',
    passphrase,
    salt: randomBytes(16),
  });
}

/** A directory of files that goes away with the tests. */
export function createFiles() {
  const directory = mkdtempSync(join(tmpdir(), 'sandgate-upstream-'));
  return {
    write: (name: string, content: string | Uint8Array) => {
      const file = join(directory, name);
      writeFileSync(file, content, { mode: 0o600 });
      return file;
    },
    path: (name: string) => join(directory, name),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
