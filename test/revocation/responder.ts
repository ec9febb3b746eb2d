/** An OCSP responder for tests: what it says of a certificate follows from the certificate’s serial number. */
import type { KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Constructed, Enumerated, GeneralizedTime, Integer, OctetString, Primitive } from 'asn1js';
import {
  BasicOCSPResponse,
  type CertID,
  Certificate,
  Extension,
  id_PKIX_OCSP_Basic,
  OCSPRequest,
  OCSPResponse,
  ResponseBytes,
  SingleResponse,
} from 'pkijs';
import { onTestFinished } from 'vitest';
import { anAuthority, aQwac, DAY, keys, ROOT, serial } from '../certificate/made.js';

const NONCE = '1.3.6.1.5.5.7.48.1.2';
const HOUR = 3_600_000;
const exact = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

/** What a responder does otherwise than to say “good”, as it should. */
export interface Behaviour {
  readonly says?: 'good' | 'revoked' | 'unknown';
  /** Status of the response: 3 is tryLater. */
  readonly status?: number;
  /** In ms from the time of the test. */
  readonly from?: number;
  /** null: it does not say. */
  readonly until?: number | null;
  readonly nonce?: 'none' | 'other';
  /** Who signs, with the certificate that comes along. */
  readonly signer?: { readonly key: KeyObject; readonly certificate?: Uint8Array };
  readonly otherSerial?: boolean;
  /** Instead of an answer of OCSP. */
  readonly raw?: (response: ServerResponse) => void;
}

const key = (name: string): KeyObject => keys('ec-p256', name).privateKey;
const OTHER = anAuthority('Other CA');
const forOcsp = (name: string, parts: Parameters<typeof aQwac>[0] = {}) => ({
  key: key(name),
  certificate: aQwac({
    publicKey: keys('ec-p256', name).publicKey,
    serialNumber: serial(name),
    extendedKeyUsage: ['OCSPSigning'],
    qualified: null,
    psd2: null,
    ...parts,
  }).der,
});

/** Each behaviour with its verdict. */
export const BEHAVIOURS = {
  good: [{}, 'good'],
  'good, by a responder of the issuer': [{ signer: forOcsp('delegate') }, 'good'],
  'good, without nonce': [{ nonce: 'none' }, 'good'],
  'good, without nextUpdate': [{ until: null }, 'good'],
  revoked: [{ says: 'revoked' }, 'revoked'],
  unknown: [{ says: 'unknown' }, 'unknown'],
  tryLater: [{ status: 3 }, 'try-later'],
  unauthorized: [{ status: 6 }, 'refused'],
  stale: [{ from: -3 * HOUR, until: -HOUR }, 'stale'],
  'without nextUpdate, two days old': [{ from: -2 * DAY, until: null }, 'stale'],
  'of tomorrow': [{ from: DAY, until: 2 * DAY }, 'not-yet'],
  'signed by another key': [{ signer: { key: key('stranger') } }, 'wrong-signer'],
  'signed by a certificate without id-kp-OCSPSigning': [
    { signer: forOcsp('tpp', { extendedKeyUsage: ['clientAuth'] }) },
    'wrong-signer',
  ],
  'signed by a responder of another CA': [
    { signer: forOcsp('foreign', { authority: OTHER }) },
    'wrong-signer',
  ],
  'signed by a responder whose certificate has expired': [
    { signer: forOcsp('late', { notBefore: 0, notAfter: 1 }) },
    'wrong-signer',
  ],
  'for another certificate': [{ otherSerial: true }, 'other-certificate'],
  'with the nonce of another question': [{ nonce: 'other' }, 'wrong-nonce'],
  'no OCSP': [{ raw: (response) => response.end('<html>') }, 'unreadable'],
  'status 500': [{ raw: (response) => response.writeHead(500).end() }, 'unreachable'],
  'a redirect': [
    { raw: (response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end() },
    'unreachable',
  ],
  'a broken connection': [{ raw: (response) => response.destroy() }, 'unreachable'],
  '100 MB': [{ raw: floods }, 'too-large'],
} as const satisfies Record<string, readonly [Behaviour, string]>;

/** As fast as the other end takes it. */
function floods(response: ServerResponse): void {
  const chunk = Buffer.alloc(65_536);
  let left = 1_600;
  const more = () => {
    while (left-- > 0) if (!response.write(chunk)) return;
    response.end();
  };
  response.on('drain', more).on('error', () => {});
  more();
}

const statusNode = (says: Behaviour['says'], now: number) =>
  says === 'revoked'
    ? new Constructed({
        idBlock: { tagClass: 3, tagNumber: 1 },
        value: [new GeneralizedTime({ valueDate: new Date(now - HOUR) })],
      })
    : new Primitive({ idBlock: { tagClass: 3, tagNumber: says === 'unknown' ? 2 : 0 } });

async function answerOf(asked: Uint8Array, behaviour: Behaviour, now: number): Promise<Uint8Array> {
  const {
    says = 'good',
    status = 0,
    from = -HOUR,
    until = HOUR,
    nonce,
    signer = { key: key('Test Root') },
  } = behaviour;
  if (status !== 0)
    return new Uint8Array(
      new OCSPResponse({ responseStatus: new Enumerated({ value: status }) }).toSchema().toBER(),
    );
  const { requestList, requestExtensions = [] } = OCSPRequest.fromBER(exact(asked)).tbsRequest;
  const certID = requestList[0]?.reqCert as CertID;
  if (behaviour.otherSerial) certID.serialNumber = new Integer({ value: 7 });
  const sent = requestExtensions.find(({ extnID }) => extnID === NONCE)?.extnValue.valueBlock.valueHexView;
  const other = new OctetString({ valueHex: exact(Buffer.from('another nonce!!!')) }).toBER();
  const single = new SingleResponse({
    certID,
    certStatus: statusNode(says, now),
    thisUpdate: new Date(now + from),
  });
  if (until !== null) single.nextUpdate = new Date(now + until);
  const basic = new BasicOCSPResponse();
  const data = basic.tbsResponseData;
  data.responderID = Certificate.fromBER(exact(ROOT.der)).subject;
  data.producedAt = new Date(now);
  data.responses = [single];
  if (nonce !== 'none' && sent !== undefined)
    data.responseExtensions = [
      new Extension({ extnID: NONCE, extnValue: nonce === 'other' ? other : exact(sent) }),
    ];
  if (signer.certificate !== undefined) basic.certs = [Certificate.fromBER(exact(signer.certificate))];
  await basic.sign(await signingKey(signer.key), 'SHA-256');
  const response = new OctetString({ valueHex: basic.toSchema().toBER() });
  const whole = new OCSPResponse({
    responseStatus: new Enumerated({ value: 0 }),
    responseBytes: new ResponseBytes({ responseType: id_PKIX_OCSP_Basic, response }),
  });
  return new Uint8Array(whole.toSchema().toBER());
}

const signingKey = (one: KeyObject) =>
  crypto.subtle.importKey(
    'pkcs8',
    exact(one.export({ type: 'pkcs8', format: 'der' })),
    { name: 'ECDSA', namedCurve: 'P-256' },
    false,
    ['sign'],
  );

const serialOf = (asked: Uint8Array): string =>
  OCSPRequest.fromBER(exact(asked)).tbsRequest.requestList[0]?.reqCert.serialNumber.toBigInt().toString(16) ??
  '';

/** Ends with the test. `behaviourOf` is asked with a serial number in lower-case hex; `now` in epoch ms. */
export async function startResponder(behaviourOf: (serial: string) => Behaviour, now: () => number) {
  let questions = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    questions += 1;
    const asked = await buffer(request);
    const behaviour = behaviourOf(serialOf(asked));
    if (behaviour.raw !== undefined) return void behaviour.raw(response);
    response.setHeader('Content-Type', 'application/ocsp-response');
    response.end(await answerOf(asked, behaviour, now()));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}/ocsp`, questions: () => questions };
}
