/** Tries the connection to the bank step by step and reports how far it got; for `sandgate doctor`. */
import { lookup } from 'node:dns/promises';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { checkServerIdentity, connect as connectTls, type PeerCertificate, type TLSSocket } from 'node:tls';
import type { Fault } from '../../exchange/index.js';
import type { Credential } from './credentials.js';
import { codeOf, explainFailure } from './failures.js';
import { UPSTREAM_LIMITS, type UpstreamLimits } from './limits.js';

export type ProbeStep = 'name' | 'connection' | 'handshake' | 'answer';

export interface BankProbe {
  readonly addresses: readonly string[];
  /** The one that took the connection; null where none did. */
  readonly address: string | null;
  readonly tls: ProbedTls | null;
  /** Whether the bank asked for a client certificate; null where that is not known. */
  readonly asked: boolean | null;
  /** The status of the answer to a HEAD of the base path; null if there was none. */
  readonly status: number | null;
  readonly failure: ProbeFailure | null;
}

export interface ProbeFailure {
  readonly step: ProbeStep;
  readonly code: string;
  readonly fault: Fault;
}

export type ProbedTls = ReturnType<typeof describeTls>;

/** Never rejects. A bank whose certificate is not good is sent no request. */
export async function probeBank(
  target: URL,
  credential: Credential,
  changed: Partial<UpstreamLimits> = {},
): Promise<BankProbe> {
  const limits = { ...UPSTREAM_LIMITS, ...changed };
  const host = target.hostname.replace(/^\[|\]$/g, '');
  const secure = target.protocol === 'https:';
  const bank = { host: target.host, tls: secure };
  const found: { -readonly [K in keyof BankProbe]: BankProbe[K] } = {
    addresses: [],
    address: null,
    tls: null,
    asked: null,
    status: null,
    failure: null,
  };
  const explain = (step: ProbeStep, error: unknown): ProbeFailure => {
    const stage = step === 'answer' ? 'awaited' : 'unsent';
    return {
      step,
      code: codeOf(error),
      fault: explainFailure({ error, stage, fresh: true }, bank, limits).fault,
    };
  };
  let step: ProbeStep = 'name';
  let socket: Socket | undefined;
  try {
    found.addresses = (await inTime(limits.connectMs, lookup(host, { all: true }))).map((one) => one.address);
    step = 'connection';
    const port = Number(target.port) || (secure ? 443 : 80);
    const name = isIP(host) === 0 ? { servername: host } : {};
    socket = secure
      ? connectTls({
          host,
          port,
          ...name,
          secureContext: credential.context,
          ALPNProtocols: ['http/1.1'],
          // Problems of its certificate are distinguished below.
          rejectUnauthorized: false,
        })
      : connectTcp({ host, port });
    const shaken = happens(socket, 'secureConnect', (it) => {
      found.asked = isAsked(it as TLSSocket);
      found.tls = describeTls(it as TLSSocket, host, (error) => explain('handshake', error));
    });
    shaken.catch(() => {});
    await inTime(limits.connectMs, happens(socket, 'connect'));
    found.address = socket.remoteAddress ?? null;
    if (!secure) return found;
    step = 'handshake';
    await inTime(limits.connectMs, shaken);
    if (hasFlaw(found.tls)) return found;
    step = 'answer';
    found.status = await inTime(limits.firstByteMs, askHead(socket, target), 'UND_ERR_HEADERS_TIMEOUT');
  } catch (error) {
    found.failure = explain(step, error);
  } finally {
    socket?.destroy();
  }
  return found;
}

async function inTime<T>(ms: number, outcome: Promise<T>, code = 'UND_ERR_CONNECT_TIMEOUT'): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error(`nothing within ${ms} ms`), { code })), ms);
  });
  try {
    return await Promise.race([outcome, end]);
  } finally {
    clearTimeout(timer);
  }
}

const closed = () => Object.assign(new Error('closed'), { code: 'ECONNRESET' });

/** Rejects where the socket fails or closes first. Later errors are nobody's concern. */
function happens(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  then?: (socket: Socket) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, () => {
      then?.(socket);
      resolve();
    });
    socket.on('error', reject);
    socket.once('close', () => reject(closed()));
  });
}

/** Only a request for a certificate names signature algorithms. To be asked during the handshake, while the socket lives. */
const isAsked = (socket: TLSSocket): boolean => socket.getSharedSigalgs().length > 0;

const hasFlaw = (tls: ProbedTls | null): boolean => tls?.chainProblem !== null || tls.nameProblem !== null;

function describeTls(socket: TLSSocket, host: string, explain: (error: unknown) => ProbeFailure) {
  const peer = socket.getPeerCertificate();
  const own = socket.getCertificate() as PeerCertificate | null;
  const wrongName = checkServerIdentity(host, peer);
  // Node gives the code of a chain's or a name's error; the name is looked at apart.
  const code = socket.authorized ? '' : String(socket.authorizationError);
  const chainWrong = code !== '' && code !== 'ERR_TLS_CERT_ALTNAME_INVALID';
  return {
    version: socket.getProtocol() ?? 'unknown',
    cipher: socket.getCipher().standardName,
    /** The name that was asked for; null for an address. */
    serverName: isIP(host) === 0 ? host : null,
    subject: nameOf(peer.subject),
    issuer: nameOf(peer.issuer),
    /** Names in the certificate: `DNS:bank.example, IP Address:192.0.2.1`. */
    names: peer.subjectaltname ?? '',
    notAfter: Date.parse(peer.valid_to),
    chainProblem: chainWrong ? explain({ code }) : null,
    nameProblem: wrongName === undefined ? null : explain(wrongName),
    /** The certificate that the bank would be shown; null where there is none. */
    own:
      own?.subject === undefined
        ? null
        : { subject: nameOf(own.subject), notAfter: Date.parse(own.valid_to) },
  };
}

function nameOf(name: PeerCertificate['subject'] | undefined): string {
  const { CN, O, OU } = name ?? {};
  return [CN, O, OU].flat().find((one) => one !== undefined) ?? 'no name';
}

const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})/;
const STATUS_LINE_BYTES = 12;

/** A TLS 1.3 server judges the client's certificate after the handshake: what it thinks is seen by an answer. */
function askHead(socket: Socket, target: URL): Promise<number> {
  return new Promise((resolve, reject) => {
    let head = '';
    socket.on('data', (bytes) => {
      head += bytes.toString('latin1', 0, STATUS_LINE_BYTES);
      if (head.length < STATUS_LINE_BYTES) return;
      const status = STATUS_LINE.exec(head)?.[1];
      if (status === undefined) reject(new Error('bad response'));
      else resolve(Number(status));
    });
    socket.on('error', reject);
    socket.once('close', () => reject(closed()));
    socket.write(
      `HEAD ${target.pathname} HTTP/1.1\r\nHost: ${target.host}\r\nAccept: */*\r\nConnection: close\r\n\r\n`,
    );
  });
}
