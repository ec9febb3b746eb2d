/** Issues one more test certificate into the folder of certificates, to order. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  type IssuingAuthority,
  issueCertificate,
  OID,
  openIssuingAuthority,
  parsePemFile,
  type QcTypeName,
  type RoleName,
  renderPkcs12,
  type StatementEncoding,
} from '../../certificate/index.js';
import { zipped } from '../../files/index.js';
import { SandgateError } from '../../spec/index.js';
import { ensureCertificates, isOwnAuthority } from './ensure.js';
import { alone, readPair, writePair, writeWhole } from './files.js';
import { type KeyType, makeKeyPair, renderKey } from './key-pairs.js';
import { namesOf, psd2Of, serialNumber } from './mint.js';
import type { Organisation } from './test-certificates.js';

export interface IssueOrder {
  readonly name: string;
  readonly organisation: Organisation;
  readonly roles: readonly RoleName[];
  readonly keyType: KeyType;
  /** `none`: it is not qualified, and of no type. */
  readonly qcType: QcTypeName | 'none';
  readonly encoding: StatementEncoding;
  readonly notBefore: number;
  readonly notAfter: number;
}

export interface HowToWrite {
  /** A PKCS#12 file is written too; `file` null for NAME.p12 beside the others. */
  readonly p12: { readonly file: string | null; readonly passphrase: string } | null;
  readonly force: boolean;
}

const RESERVED = new Set(['ca', 'server']);
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Makes the certificate with the CA of the folder, which is made first where there is none. */
export async function issueInto(dir: string, order: IssueOrder, { p12, force }: HowToWrite, now: number) {
  const { name } = order;
  checkName(order);
  await ensureCertificates(dir, now);
  const made = await issueBy(await openAuthorityOf(dir), order);
  return alone(dir, async () => {
    if (!force && (await readPair(dir, name)) !== null)
      throw new SandgateError('certs.name-taken', { file: join(dir, `${name}.pem`) });
    await writePair(dir, name, made);
    const files = [join(dir, `${name}.pem`), join(dir, `${name}.key`)];
    if (p12 !== null) {
      const file = p12.file ?? join(dir, `${name}.p12`);
      await writeWhole(file, made.toPkcs12(p12.passphrase), 'secret');
      files.push(file);
    }
    return { name, files, pem: made.pem };
  });
}

export interface HandedOut {
  readonly format: 'zip' | 'p12' | 'pem';
  readonly passphrase: string;
}

/** Makes one with the test CA of the folder to be handed out: neither it nor its key is written anywhere. */
export async function issueOnce(dir: string, order: IssueOrder, { format, passphrase }: HandedOut) {
  const { name } = order;
  checkName(order);
  const ca = await readPair(dir, 'ca');
  if (!isOwnAuthority(ca?.pem)) throw new SandgateError('certs.emulator-only', {});
  const made = await issueBy(await openAuthorityOf(dir), order);
  if (format === 'pem') return Buffer.from(made.pem + made.keyPem);
  const p12 = made.toPkcs12(passphrase);
  if (format === 'p12') return p12;
  const files = [
    { name: `${name}.pem`, pieces: [made.pem] },
    { name: `${name}.key`, pieces: [made.keyPem] },
    { name: `${name}.p12`, pieces: [p12] },
    { name: 'ca.pem', pieces: [ca?.pem ?? ''] },
  ];
  const parts: Uint8Array[] = [];
  for await (const part of zipped(files)) parts.push(part);
  return Buffer.concat(parts);
}

function checkName({ name }: IssueOrder): void {
  if (!NAME.test(name) || RESERVED.has(name)) throw new SandgateError('certs.name', { name });
}

async function issueBy(authority: IssuingAuthority, order: IssueOrder) {
  const { publicKey, privateKey } = await makeKeyPair(order.keyType);
  const issued = issueCertificate({
    ...contentOf(order),
    ...{ authority, publicKey, serialNumber: serialNumber() },
  });
  const { chainPem: pem } = issued;
  return {
    pem,
    keyPem: renderKey(privateKey),
    toPkcs12: (passphrase: string) =>
      renderPkcs12({
        ...{ privateKey, passphrase, name: order.name, salt: randomBytes(16) },
        certificates: parsePemFile(Buffer.from(pem)),
      }),
  };
}

/** @throws SandgateError where there is no CA, or its key */
export async function openAuthorityOf(dir: string) {
  const ca = await readPair(dir, 'ca');
  if (ca === null || ca.keyPem === '')
    throw new SandgateError('certs.nothing-to-sign-with', { file: join(dir, 'ca.pem') });
  return openIssuingAuthority(ca.pem, ca.keyPem);
}

function contentOf(order: IssueOrder) {
  const { organisation, encoding, qcType, roles, notBefore, notAfter } = order;
  return {
    notBefore,
    notAfter,
    ...namesOf(order.name, organisation),
    ...(qcType === 'none' ? {} : { qualified: { compliance: true, types: [qcType] } }),
    ...(encoding === 'absent' ? {} : { psd2: { ...psd2Of(organisation, roles), encoding } }),
    ...(qcType === 'web' ? { policies: [OID.policyWebPsd2] } : {}),
  };
}
