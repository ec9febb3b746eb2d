/** The target of a rerun: a bank by its addresses and with its client certificate, or an emulator in this process. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { accountActions, type BankView } from '../../admin/index.js';
import {
  type CertificateObservation,
  inspectCertificate,
  parsePemFile,
  TRUSTS_NOBODY,
} from '../../certificate/index.js';
import { readText } from '../../files/index.js';
import { SandgateError } from '../../spec/index.js';
import type { Config } from '../config/config.js';
import { startSandgate } from '../gateway/gateway-app.js';
import type { SystemParts } from '../system/system-parts.js';
import type { Identity } from './sender.js';
import { openTestIdentities } from './test-identities.js';

export interface RerunTarget {
  readonly name: string;
  /** Addresses without a slash at their end; `psu` null: the links of the answers tell. */
  readonly api: string;
  readonly psu: string | null;
  /** CAs in PEM that are believed. */
  readonly ca: readonly string[];
  /** The certificate for a call that was recorded with this one at that time (epoch ms); null: none. */
  readonly identityFor: (certificate: CertificateObservation, at: number) => Identity | null;
  /** Whether authorise ends at once with the outcome that `scenario` names. */
  readonly headless: boolean;
  /** Whether a bank may be behind it; loopback is no proof of the contrary, because a gateway forwards from there. */
  readonly real: boolean;
  /** Sets its clock so far ahead of the machine's, in ms; absent: nobody can move the time of a bank. */
  readonly setAhead?: (ms: number) => void;
  /** Does what an operator did, as the note of it tells; absent: nobody can, at the bank of others. */
  readonly operate?: (action: string, settings: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface BankAddress {
  readonly against: string;
  /** Base of the pages for the PSU, where the links of the answers do not tell. */
  readonly psu?: string | undefined;
  /** PEM files: the client certificate (with the CAs above it), its key, the CA of the bank. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly ca?: string | undefined;
}

/** Without `cert` the test certificates are presented, as to another Sandgate. */
export async function openBank(address: BankAddress, config: Config, now: number): Promise<RerunTarget> {
  const api = siteOf(address.against, '--against', ['https:']);
  const psu = address.psu === undefined ? null : siteOf(address.psu, '--psu', ['https:', 'http:']);
  const ownCa = join(config.certs, 'ca.pem');
  const ca = address.ca ?? (existsSync(ownCa) ? ownCa : undefined);
  const rest = {
    name: address.against,
    api,
    psu,
    headless: false,
    real: true,
    ca: [...rootCertificates, ...(ca === undefined ? [] : [readText(ca)])],
    close: async () => undefined,
  };
  if (address.cert === undefined && address.key === undefined) {
    if (!existsSync(join(config.certs, 'tpp.pem')))
      throw new SandgateError('rerun.no-client-certificate', { dir: config.certs });
    return { ...rest, identityFor: await openTestIdentities(config.certs, now) };
  }
  if (address.cert === undefined || address.key === undefined)
    throw new SandgateError('rerun.cert-without-key', {});
  const identity = readIdentity(address.cert, address.key, now);
  return { ...rest, identityFor: (certificate) => (certificate === 'absent' ? null : identity) };
}

function siteOf(text: string, flag: string, protocols: readonly string[]): string {
  const refuse = (problem: string) =>
    new SandgateError('rerun.address', {
      flag,
      text,
      problem,
      other: flag === '--against' ? ', or emulator' : '',
    });
  if (!URL.canParse(text)) throw refuse('is not a URL');
  const url = new URL(text);
  if (!protocols.includes(url.protocol))
    throw refuse(`does not begin with ${protocols.map((one) => `${one}//`).join(' or ')}`);
  if (url.search !== '' || url.hash !== '') throw refuse('has a query or a fragment');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function readIdentity(cert: string, key: string, now: number): Identity {
  const pem = readText(cert);
  const ders = parsePemFile(Buffer.from(pem));
  const [der] = ders;
  if (der === undefined) throw new SandgateError('certificate.none', { file: cert });
  const { organizationIdentifier } = inspectCertificate(der, ders, TRUSTS_NOBODY, now);
  return { name: 'own', organisation: organizationIdentifier?.text ?? null, pem, keyPem: readText(key) };
}

type Told = Readonly<Record<string, unknown>>;
const nameIn = ({ name }: Told): string => String(name);

/** By the action that a note names. */
const OPERATE: Readonly<Record<string, (bank: BankView, told: Told) => Promise<unknown>>> = {
  reset: (bank) => bank.reset(),
  snapshot: (bank, told) => bank.takeSnapshot(nameIn(told)),
  restore: (bank, told) => bank.restoreSnapshot(nameIn(told)),
  drop: (bank, told) => bank.dropSnapshot(nameIn(told)),
  revoke: (bank, { consent }) => bank.endConsent(String(consent), 'revoke'),
  expire: (bank, { consent }) => bank.endConsent(String(consent), 'expire'),
  reject: (bank, { consent, payment }) =>
    consent === undefined
      ? bank.decidePayment(String(payment), 'reject')
      : bank.endConsent(String(consent), 'reject'),
  settle: (bank, { payment }) => bank.decidePayment(String(payment), 'settle'),
  ...Object.fromEntries(
    accountActions.map((done) => [
      done,
      (bank: BankView, { action: _, account, ...wanted }: Told) =>
        bank.changeAccount(String(account), done, wanted),
    ]),
  ),
  'next-outcome': (bank, { action: _, ...wanted }) => bank.setNextOutcome(wanted),
};

const ANY_PORT = { host: '127.0.0.1', port: 0 };

/** In this process, on free ports; nothing it records outlives it. Made again for each run. */
export async function openEmulator(
  config: Config,
  system: SystemParts,
  onProgress: (text: string) => void,
): Promise<RerunTarget> {
  const own = { listen: ANY_PORT, psuListen: ANY_PORT, adminListen: ANY_PORT, psuHttp: false };
  const { apiUrl: _, psuUrl: __, clock: ___, clockSpeed: ____, ...rest } = config;
  const sandgate = await startSandgate(
    { ...rest, ...own, source: 'emulator', store: ':memory:', session: 'rerun', headers: false },
    system,
    { onProgress },
  );
  const { certificates, urls, clock } = sandgate;
  let moved = 0;
  return {
    name: 'emulator',
    api: urls.api,
    psu: urls.psu,
    ca: [certificates.caPem],
    headless: true,
    real: false,
    identityFor: await openTestIdentities(certificates.dir, system.clock()),
    setAhead: (ms) => {
      if (ms === moved) return;
      moved = ms;
      clock.change(ms === 0 ? { mode: 'real' } : { now: system.clock() + ms });
    },
    operate: async (action, told) => {
      await OPERATE[action]?.(sandgate.bank.common, told);
    },
    close: sandgate.close,
  };
}
