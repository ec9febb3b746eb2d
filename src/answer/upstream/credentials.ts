/** The client certificates that the gateway shows to the bank: one for each TPP, or one for all, renewed with their files. */
import { type Stats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { SecureContext } from 'node:tls';
import { inspectCertificate, TRUSTS_NOBODY } from '../../certificate/index.js';
import {
  type CredentialFiles,
  type Environment,
  filesOf,
  readAuthority,
  readCredential,
} from './credential-files.js';

export interface ShownCertificate {
  readonly subject: string;
  readonly issuer: string;
  readonly serialNumber: string;
  /** SHA-256, hex. */
  readonly fingerprint: string;
  readonly notAfter: string;
}

/** A new value takes the place of the old when its files change: whoever keeps connections by it compares values. */
export interface Credential {
  /** `default`, or the TPP that it is for. */
  readonly name: string;
  readonly context: SecureContext;
  /** The certificate that the bank sees; null: none. */
  readonly shown: ShownCertificate | null;
}

export type Credentials = ReturnType<typeof createCredentials>;

export interface CredentialsParts {
  /** For a TPP without a certificate of its own; absent: no certificate is shown. */
  readonly fallback?: CredentialFiles | undefined;
  readonly byTpp?: Readonly<Record<string, CredentialFiles>>;
  /** PEM files of those who may sign the bank's server certificate, in place of Node's own list. */
  readonly ca?: readonly string[];
  readonly env: Environment;
  readonly log: UpstreamLog;
  readonly onChange?: () => void;
  /** How often the files are looked at, in ms; 0 for never. */
  readonly reloadMs?: number;
}

export interface UpstreamLog {
  readonly info: (message: string) => void;
  readonly warn: (message: string) => void;
}

interface Kept {
  readonly files: CredentialFiles | undefined;
  credential: Credential;
  /** The state of the files at the last read, successful or not. */
  seen: string;
  problem: string | null;
}

const RELOAD_MS = 5_000;

/** Reads all files; throws a SandgateError where one cannot be used. */
export function createCredentials(parts: CredentialsParts) {
  const { env, log, byTpp = {}, ca = [], reloadMs = RELOAD_MS } = parts;
  const read = (name: string, files: CredentialFiles | undefined): Kept => {
    const context = readCredential(files, ca, env);
    return {
      files,
      credential: credentialOf(name, context),
      seen: stampNow(filesOf(files, ca)),
      problem: null,
    };
  };
  const fallback = read('default', parts.fallback);
  const others = new Map(Object.entries(byTpp).map(([tpp, files]) => [tpp, read(tpp, files)]));
  const all = [fallback, ...others.values()];
  let authorities = ca.map(readAuthority);

  async function look(kept: Kept): Promise<void> {
    const seen = await stampOf(filesOf(kept.files, ca));
    if (seen === kept.seen) return;
    kept.seen = seen;
    const { name } = kept.credential;
    try {
      kept.credential = credentialOf(name, readCredential(kept.files, ca, env));
      authorities = ca.map(readAuthority);
      kept.problem = null;
      log.info(`The client certificate for the bank (${name}) was read again.`);
      parts.onChange?.();
    } catch (error) {
      kept.problem = `${(error as Error).message} The last good one stays in use.`;
      log.warn(`The client certificate for the bank (${name}) changed: ${kept.problem}`);
    }
  }

  let looking: Promise<void> = Promise.resolve();
  const reload = () => {
    looking = looking.then(async () => {
      for (const kept of all) await look(kept);
    });
    return looking;
  };
  const timer = reloadMs === 0 ? undefined : setInterval(reload, reloadMs).unref();

  return {
    of: (tpp: string | null): Credential =>
      (tpp === null ? fallback : (others.get(tpp) ?? fallback)).credential,
    shown: (): Readonly<Record<string, ShownCertificate | null>> =>
      Object.fromEntries(all.map(({ credential: { name, shown } }) => [name, shown])),
    /** CA certificates as PEM; empty: those of Node. */
    authorities: (): readonly string[] => authorities,
    /** Files that changed and could not be used, each with why; the last good ones are in use. */
    problems: () => all.flatMap(({ problem }) => problem ?? []),
    reload,
    close: () => clearInterval(timer),
  };
}

const credentialOf = (name: string, context: SecureContext): Credential => ({
  name,
  context,
  shown: shownBy(context),
});

/** Changes with any of the files, also where one is put in the place of another of the same size. */
const stampOf = async (files: readonly string[]) => {
  const stamps = files.map((file) => stat(file).then(stamp, () => MISSING));
  return (await Promise.all(stamps)).join(' ');
};

const MISSING = 'missing';
const stamp = ({ mtimeMs, size, ino }: Stats) => `${mtimeMs}:${size}:${ino}`;

function stampNow(files: readonly string[]): string {
  return files.map((file) => stamp(statSync(file))).join(' ');
}

function shownBy({ context }: SecureContext): ShownCertificate | null {
  const der = (context as { getCertificate?: () => Uint8Array | null }).getCertificate?.() ?? null;
  if (der === null) return null;
  const facts = inspectCertificate(der, [der], TRUSTS_NOBODY, 0);
  const { subject, issuer, serialNumber, fingerprint256, notAfter } = facts;
  return { subject, issuer, serialNumber, fingerprint: fingerprint256, notAfter };
}
