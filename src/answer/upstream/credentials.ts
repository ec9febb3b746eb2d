/** The client certificates that the gateway shows to the bank: one for each TPP, or one for all, renewed with their files. */
import { type Stats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { SecureContext } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
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

interface CredentialSettings {
  /** For a TPP without a certificate of its own; absent: no certificate is shown. */
  readonly fallback?: CredentialFiles | undefined;
  readonly byTpp?: Readonly<Record<string, CredentialFiles>>;
  /** PEM files of those who may sign the bank's server certificate, in place of Node's own list. */
  readonly ca?: readonly string[];
}

export interface CredentialsParts extends CredentialSettings {
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
  const { env, log, reloadMs = RELOAD_MS } = parts;
  let inForce = readAll(parts, env);

  async function look(kept: Kept, ca: readonly string[]): Promise<void> {
    const seen = await stampOf(filesOf(kept.files, ca));
    if (seen === kept.seen) return;
    kept.seen = seen;
    const { name } = kept.credential;
    try {
      kept.credential = credentialOf(name, readCredential(kept.files, ca, env));
      inForce.authorities = ca.map(readAuthority);
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
      const { all, ca } = inForce;
      for (const kept of all) await look(kept, ca);
    });
    return looking;
  };
  const timer = reloadMs === 0 ? undefined : setInterval(reload, reloadMs).unref();

  return {
    of: (tpp: string | null): Credential => {
      const { fallback, others } = inForce;
      return (tpp === null ? fallback : (others.get(tpp) ?? fallback)).credential;
    },
    shown: (): Readonly<Record<string, ShownCertificate | null>> =>
      Object.fromEntries(inForce.all.map(({ credential: { name, shown } }) => [name, shown])),
    /** CA certificates as PEM; empty: those of Node. */
    authorities: (): readonly string[] => inForce.authorities,
    /** Files that changed and could not be used, each with why; the last good ones are in use. */
    problems: () => inForce.all.flatMap(({ problem }) => problem ?? []),
    reload,
    /** Reads all files of other settings. Throws a SandgateError where one cannot be used; `names` are of those that are others. */
    prepare: (settings: CredentialSettings) => {
      const next = readAll(settings, env, inForce);
      const before = new Set(inForce.all.map(({ credential }) => credential));
      const names = next.all.flatMap(({ credential }) => (before.has(credential) ? [] : [credential.name]));
      const gone = [...inForce.others.keys()].filter((tpp) => !next.others.has(tpp));
      return {
        names: [...names, ...gone],
        commit: () => {
          inForce = next;
          if (names.length + gone.length > 0) parts.onChange?.();
        },
      };
    },
    close: () => clearInterval(timer),
  };
}

interface All {
  readonly ca: readonly string[];
  readonly fallback: Kept;
  readonly others: ReadonlyMap<string, Kept>;
  readonly all: readonly Kept[];
  authorities: readonly string[];
}

/** A certificate that has not changed since it was read `before` stays, and so do its connections. */
function readAll(
  { fallback: lent, byTpp = {}, ca = [] }: CredentialSettings,
  env: Environment,
  before?: All,
): All {
  const read = (name: string, files: CredentialFiles | undefined, known: Kept | undefined): Kept => {
    const isSame = isDeepStrictEqual([known?.files, before?.ca], [files, ca]) && known?.problem === null;
    if (isSame && known.seen === stampIfThere(filesOf(files, ca))) return known;
    const context = readCredential(files, ca, env);
    return {
      files,
      credential: credentialOf(name, context),
      seen: stampNow(filesOf(files, ca)),
      problem: null,
    };
  };
  const fallback = read('default', lent, before?.fallback);
  const others = new Map(
    Object.entries(byTpp).map(([tpp, files]) => [tpp, read(tpp, files, before?.others.get(tpp))]),
  );
  return { ca, fallback, others, all: [fallback, ...others.values()], authorities: ca.map(readAuthority) };
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

const stampIfThere = (files: readonly string[]): string =>
  files
    .map((file) => statSync(file, { throwIfNoEntry: false }))
    .map((stats) => (stats === undefined ? MISSING : stamp(stats)))
    .join(' ');

function shownBy({ context }: SecureContext): ShownCertificate | null {
  const der = (context as { getCertificate?: () => Uint8Array | null }).getCertificate?.() ?? null;
  if (der === null) return null;
  const facts = inspectCertificate(der, [der], TRUSTS_NOBODY, 0);
  const { subject, issuer, serialNumber, fingerprint256, notAfter } = facts;
  return { subject, issuer, serialNumber, fingerprint: fingerprint256, notAfter };
}
