/** Time stamping authorities for tests: the one that openssl made for the recorded answer, over HTTP, and others. */
import { createHash, createPrivateKey, webcrypto, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Integer, ObjectIdentifier, OctetString, Utf8String } from 'asn1js';
import {
  Attribute,
  AttributeTypeAndValue,
  BasicConstraints,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  Extension,
  ExtKeyUsage,
  IssuerAndSerialNumber,
  PKIStatusInfo,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs';
import {
  openStampAnchors,
  readTimeStampResponse,
  timeStampRequest,
} from '../../../src/evidence/time-stamp/index.js';

const file = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
export const CA = file('ca.pem');
const TST_INFO = '1.2.840.113549.1.9.16.1.4';

export const ANCHORS = openStampAnchors(Buffer.from(CA), 'ca.pem');
const EC = { name: 'ECDSA', namedCurve: 'P-256' };

/** Whoever stamps. */
export interface Stamper {
  readonly certificate: Certificate;
  readonly key: CryptoKey;
}

export interface AuthorityOrder {
  readonly name?: string;
  /** Epoch ms: when its certificate is valid. */
  readonly from: number;
  readonly to: number;
  /** Its extended key usage; time stamping alone where absent. */
  readonly purposes?: readonly string[];
}

/** An authority below a CA of its own, whose certificate is `ca`, PEM. */
export async function mintAuthority(order: AuthorityOrder): Promise<Stamper & { ca: string; pem: string }> {
  const { name = 'Minted TSA', from, to, purposes = ['1.3.6.1.5.5.7.3.8'] } = order;
  const { subtle } = webcrypto;
  const [above, own] = await Promise.all(
    ['ca', 'authority'].map(() => subtle.generateKey(EC, true, ['sign', 'verify'])),
  );
  if (above === undefined || own === undefined) throw new Error('no keys');
  const mint = async (subject: string, keys: webcrypto.CryptoKeyPair, extension: Extension) => {
    const named = (value: string) =>
      new AttributeTypeAndValue({ type: '2.5.4.3', value: new Utf8String({ value }) });
    const made = new Certificate({ version: 2, serialNumber: new Integer({ value: subject.length }) });
    made.issuer.typesAndValues.push(named(`${name} Root`));
    made.subject.typesAndValues.push(named(subject));
    made.notBefore.value = new Date(from);
    made.notAfter.value = new Date(to);
    made.extensions = [extension];
    await made.subjectPublicKeyInfo.importKey(keys.publicKey as CryptoKey);
    await made.sign(above.privateKey as CryptoKey, 'SHA-256');
    return made;
  };
  const extension = (extnID: string, value: BasicConstraints | ExtKeyUsage) =>
    new Extension({ extnID, critical: true, extnValue: value.toSchema().toBER() });
  const ca = await mint(`${name} Root`, above, extension('2.5.29.19', new BasicConstraints({ cA: true })));
  const usage = extension('2.5.29.37', new ExtKeyUsage({ keyPurposes: [...purposes] }));
  const certificate = await mint(name, own, usage);
  return { certificate, key: own.privateKey as CryptoKey, ca: pemOf(ca), pem: pemOf(certificate) };
}

const pemOf = (certificate: Certificate): string =>
  new X509Certificate(Buffer.from(certificate.toSchema().toBER())).toString();

/** The token that a stamper gives for a statement at a time, DER. */
export async function tokenOf(statement: string, at: number, stamper: Stamper): Promise<Uint8Array> {
  const nonce = Buffer.from('01');
  const query = Buffer.from(timeStampRequest(statement, nonce));
  return readTimeStampResponse(await stamp(query, new Date(at), stamper), statement, nonce);
}

async function opensslStamper(): Promise<Stamper> {
  const pkcs8 = createPrivateKey(file('authority.key')).export({ type: 'pkcs8', format: 'der' });
  const { raw } = new X509Certificate(file('authority.pem'));
  return {
    certificate: Certificate.fromBER(new Uint8Array(raw).buffer),
    key: (await webcrypto.subtle.importKey('pkcs8', pkcs8, EC, false, ['sign'])) as CryptoKey,
  };
}

async function stamp(query: Buffer, at: Date, { certificate, key }: Stamper): Promise<Uint8Array> {
  const { messageImprint, nonce } = TimeStampReq.fromBER(new Uint8Array(query).buffer);
  const info = new TSTInfo({
    ...{ version: 1, policy: '1.2.3.4.1', messageImprint, genTime: at },
    serialNumber: new Integer({ value: 7 }),
    ...(nonce === undefined ? {} : { nonce }),
  });
  const content = info.toSchema().toBER();
  const digest = createHash('sha256').update(Buffer.from(content)).digest();
  const signed = new SignedData({
    version: 3,
    encapContentInfo: new EncapsulatedContentInfo({
      eContentType: TST_INFO,
      eContent: new OctetString({ valueHex: content }),
    }),
    signerInfos: [
      new SignerInfo({
        version: 1,
        sid: new IssuerAndSerialNumber({
          issuer: certificate.issuer,
          serialNumber: certificate.serialNumber,
        }),
        signedAttrs: new SignedAndUnsignedAttributes({
          type: 0,
          attributes: [
            new Attribute({
              type: '1.2.840.113549.1.9.3',
              values: [new ObjectIdentifier({ value: TST_INFO })],
            }),
            new Attribute({
              type: '1.2.840.113549.1.9.4',
              values: [new OctetString({ valueHex: new Uint8Array(digest).buffer })],
            }),
          ],
        }),
      }),
    ],
    certificates: [certificate],
  });
  await signed.sign(key, 0, 'SHA-256');
  const token = new ContentInfo({ contentType: '1.2.840.113549.1.7.2', content: signed.toSchema(true) });
  const response = new TimeStampResp({ status: new PKIStatusInfo({ status: 0 }), timeStampToken: token });
  return new Uint8Array(response.toSchema().toBER());
}

/** `answer` answers otherwise. */
export async function startAuthority(answer?: () => { status: number; body: Uint8Array }) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { status, body } = answer?.() ?? {
      status: 200,
      body: await stamp(Buffer.concat(chunks), new Date(), await opensslStamper()),
    };
    response.writeHead(status, { 'Content-Type': 'application/timestamp-reply' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}
