/** Issues one more test certificate into the folder of certificates, to order. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  issueCertificate,
  OID,
  openIssuingAuthority,
  parsePemFile,
  type QcTypeName,
  type RoleName,
  renderPkcs12,
  type StatementEncoding,
} from '../../certificate/index.js';
import { SandgateError } from '../../spec/index.js';
import { ensureCertificates } from './ensure.js';
import { alone, type PemPair, readPair, writePair, writeWhole } from './files.js';
import { type KeyPair, type KeyType, makeKeyPair, renderKey } from './key-pairs.js';
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
  /** A PKCS#12 file is written too; `file` null for NAME.p12 beside the others. */
  readonly p12: { readonly file: string | null; readonly passphrase: string } | null;
  readonly force: boolean;
}

const RESERVED = new Set(['ca', 'server']);
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Makes the certificate with the CA of the folder, which is made first where there is none. */
export async function issueInto(dir: string, order: IssueOrder, now: number) {
  const { name } = order;
  if (!NAME.test(name) || RESERVED.has(name)) throw new SandgateError('certs.name', { name });
  await ensureCertificates(dir, now);
  const authority = await openAuthorityOf(dir);
  const keys = await makeKeyPair(order.keyType);
  const issued = issueCertificate({
    ...contentOf(order),
    authority,
    publicKey: keys.publicKey,
    serialNumber: serialNumber(),
  });
  const pair = { pem: issued.chainPem, keyPem: renderKey(keys.privateKey) };
  return alone(dir, async () => {
    if (!order.force && (await readPair(dir, name)) !== null)
      throw new SandgateError('certs.name-taken', { file: join(dir, `${name}.pem`) });
    await writePair(dir, name, pair);
    const files = [join(dir, `${name}.pem`), join(dir, `${name}.key`)];
    const p12 = await writePkcs12(dir, order, pair, keys);
    return { name, files: [...files, ...p12], pem: pair.pem };
  });
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

async function writePkcs12(
  dir: string,
  { name, p12 }: IssueOrder,
  { pem }: PemPair,
  { privateKey }: KeyPair,
): Promise<string[]> {
  if (p12 === null) return [];
  const file = p12.file ?? join(dir, `${name}.p12`);
  const content = renderPkcs12({
    privateKey,
    certificates: parsePemFile(Buffer.from(pem)),
    name,
    passphrase: p12.passphrase,
    salt: randomBytes(16),
  });
  await writeWhole(file, content, 'secret');
  return [file];
}
