/** A time stamping authority for tests, over HTTP: signs with the key that openssl made for the recorded answer. */
import { createHash, createPrivateKey, webcrypto, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Integer, ObjectIdentifier, OctetString } from 'asn1js';
import {
  Attribute,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  PKIStatusInfo,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs';

const file = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
export const CA = file('ca.pem');
const TST_INFO = '1.2.840.113549.1.9.16.1.4';

async function stamp(query: Buffer, at: Date): Promise<Uint8Array> {
  const { messageImprint, nonce } = TimeStampReq.fromBER(new Uint8Array(query).buffer);
  const info = new TSTInfo({
    ...{ version: 1, policy: '1.2.3.4.1', messageImprint, genTime: at },
    serialNumber: new Integer({ value: 7 }),
    ...(nonce === undefined ? {} : { nonce }),
  });
  const content = info.toSchema().toBER();
  const certificate = Certificate.fromBER(
    new Uint8Array(new X509Certificate(file('authority.pem')).raw).buffer,
  );
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
  const pkcs8 = createPrivateKey(file('authority.key')).export({ type: 'pkcs8', format: 'der' });
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const key = await webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']);
  await signed.sign(key as CryptoKey, 0, 'SHA-256');
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
      body: await stamp(Buffer.concat(chunks), new Date()),
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
