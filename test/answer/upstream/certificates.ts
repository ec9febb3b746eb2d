/** Certificates for tests of the way to the bank: a CA, servers good and bad, clients of two CAs; made once per file. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import forge from 'node-forge';

export interface Pair {
  readonly cert: string;
  readonly key: string;
}

interface Wanted {
  readonly name: string;
  readonly from?: Date;
  readonly to?: Date;
  readonly hosts?: readonly string[];
  readonly authority?: boolean;
}

const DAY = 86_400_000;
let serial = 1;

function makeKey() {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}

function mint(wanted: Wanted, key: ReturnType<typeof makeKey>, issuer?: Pair): Pair {
  const { privateKey, publicKey } = key;
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
  certificate.serialNumber = (0x100 + serial++).toString(16).padStart(4, '0');
  certificate.validity.notBefore = wanted.from ?? new Date(Date.now() - DAY);
  certificate.validity.notAfter = wanted.to ?? new Date(Date.now() + 30 * DAY);
  const subject = [{ name: 'commonName', value: wanted.name }];
  certificate.setSubject(subject);
  certificate.setIssuer(
    issuer === undefined ? subject : forge.pki.certificateFromPem(issuer.cert).subject.attributes,
  );
  const hosts = wanted.hosts ?? [];
  certificate.setExtensions([
    { name: 'basicConstraints', cA: wanted.authority === true },
    ...(hosts.length === 0
      ? []
      : [
          {
            name: 'subjectAltName',
            altNames: hosts.map((host) =>
              /^[\d.]+$/.test(host) ? { type: 7, ip: host } : { type: 2, value: host },
            ),
          },
        ]),
  ]);
  certificate.sign(forge.pki.privateKeyFromPem(issuer?.key ?? privateKey), forge.md.sha256.create());
  return { cert: forge.pki.certificateToPem(certificate), key: privateKey };
}

export function mintCertificates() {
  // Making a key is what takes time: all that are signed share one.
  const key = makeKey();
  const ca = mint({ name: 'Bank CA', authority: true }, makeKey());
  const otherCa = mint({ name: 'Other CA', authority: true }, makeKey());
  const hosts = ['localhost', '127.0.0.1'];
  return {
    ca,
    server: mint({ name: 'bank', hosts }, key, ca),
    expiredServer: mint(
      { name: 'bank', hosts, from: new Date(Date.now() - 9 * DAY), to: new Date(Date.now() - DAY) },
      key,
      ca,
    ),
    misnamedServer: mint({ name: 'bank', hosts: ['elsewhere.example'] }, key, ca),
    untrustedServer: mint({ name: 'bank', hosts }, key, otherCa),
    client: mint({ name: 'gateway' }, key, ca),
    secondClient: mint({ name: 'gateway-of-other-tpp' }, key, ca),
    foreignClient: mint({ name: 'stranger' }, key, otherCa),
  };
}

export type Certificates = ReturnType<typeof mintCertificates>;

/** The pair as PKCS#12. */
export function pkcs12(pair: Pair, password: string): Buffer {
  const made = forge.pkcs12.toPkcs12Asn1(
    forge.pki.privateKeyFromPem(pair.key),
    [forge.pki.certificateFromPem(pair.cert)],
    password,
    { algorithm: 'aes256' },
  );
  return Buffer.from(forge.asn1.toDer(made).getBytes(), 'latin1');
}

/** A directory of files that goes away with the tests. */
export function createFiles() {
  const directory = mkdtempSync(join(tmpdir(), 'sandgate-upstream-'));
  return {
    write: (name: string, content: string | Buffer) => {
      const file = join(directory, name);
      writeFileSync(file, content, { mode: 0o600 });
      return file;
    },
    path: (name: string) => join(directory, name),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
