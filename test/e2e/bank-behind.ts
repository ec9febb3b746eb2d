/** A gateway before a bank of the test's own making, and what passes between them. */
import { createHash } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { TlsOptions } from 'node:tls';
import { type Bank, readAll, startBank } from '../answer/upstream/bank.js';
import { createFiles, mintCertificates } from '../answer/upstream/certificates.js';
import { startTestGateway, type TestGateway } from './harness.js';

export interface AtBank {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingMessage['rawHeaders'];
  readonly body: Buffer;
}

export const bankCertificates = mintCertificates();

/** Settings that lead to a bank which trusts `client` of the bank's certificates. */
export function settingsFor(url: URL, files: ReturnType<typeof createFiles>): Record<string, unknown> {
  const { ca, client } = bankCertificates;
  return {
    upstream: url.href,
    upstreamCa: files.write('ca.pem', ca.cert),
    upstreamCert: files.write('client.pem', client.cert),
    upstreamKey: files.write('client.key', client.key),
  };
}

export interface BankBehind {
  readonly gateway: TestGateway;
  /** Requests that reached the bank, in order. */
  readonly seen: AtBank[];
  readonly sockets: Set<unknown>;
  readonly url: URL;
  readonly server: Bank['server'];
  readonly close: () => Promise<void>;
}

/** The bank reads each request whole before it answers. */
export async function openBankBehind(
  answer: (request: AtBank, response: Parameters<RequestListener>[1]) => void,
  settings: Record<string, unknown> = {},
  tls: TlsOptions = {},
): Promise<BankBehind> {
  const seen: AtBank[] = [];
  const listener = async (...[request, response]: Parameters<RequestListener>) => {
    const { method = '', url: target = '', rawHeaders: headers } = request;
    const one = { method, target, headers, body: await readAll(request) };
    seen.push(one);
    answer(one, response);
  };
  return openBehind(seen, settings, listener, tls);
}

export async function openBehind(
  seen: AtBank[],
  settings: Record<string, unknown>,
  listener: (...args: Parameters<RequestListener>) => unknown,
  tls: TlsOptions = {},
): Promise<BankBehind> {
  const files = createFiles();
  const take: RequestListener = (request, response) => {
    // A client that breaks off is no failure of the test's bank.
    Promise.resolve(listener(request, response)).catch(() => response.destroy());
  };
  const bank = await startBank(bankCertificates, take, tls);
  const gateway = await startTestGateway({ ...settingsFor(bank.url, files), ...settings });
  return {
    ...{ gateway, seen, url: bank.url, sockets: bank.sockets, server: bank.server },
    close: async () => {
      await gateway.app.close();
      await bank.close();
      files.remove();
    },
  };
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Bytes that no compression and no misplaced piece leaves as they are. */
export function bytesOf(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let i = 0; i < size; i++) bytes[i] = (i * 31 + (i >> 8) * 17 + (i >> 16)) & 0xff;
  return bytes;
}

export const fieldOf = (headers: readonly string[], name: string): string | undefined => {
  const at = headers.findIndex((one, i) => i % 2 === 0 && one.toLowerCase() === name);
  return at < 0 ? undefined : headers[at + 1];
};
