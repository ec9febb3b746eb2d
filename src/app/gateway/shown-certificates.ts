/** The certificates that the live page shows, and makes. */
import type {
  CertificateFile,
  LivePort,
  OwnCertificate,
  ResendPort,
  WantedCertificate,
} from '../../admin/index.js';
import { inspectCertificate, parsePemFile, TRUSTS_NOBODY, type Trust } from '../../certificate/index.js';
import { SandgateError } from '../../spec/index.js';
import type { Certificates } from '../certificates/ensure.js';
import { issueOnce } from '../certificates/issue.js';
import { toOrder } from '../certificates/order.js';
import { type ListedCertificate, listCertificates } from '../certificates/test-certificates.js';
import type { SystemParts } from '../system/system-parts.js';
import type { Answering } from './answering.js';

interface Folder {
  readonly certificates: () => Certificates;
  readonly system: Pick<SystemParts, 'clock'>;
}

/** One after the other: keys are made in the few threads in which files are read, too. */
export function createIssue({
  answering,
  certificates,
  system,
}: Folder & { readonly answering: Pick<Answering, 'switches'> }) {
  let last: Promise<unknown> = Promise.resolve();
  return async (wanted: WantedCertificate): Promise<Uint8Array> => {
    if (answering.switches.current().source !== 'emulator')
      throw new SandgateError('certs.emulator-only', {});
    const order = toOrder(wanted, system.clock());
    const made = last.then(() => issueOnce(certificates().dir, order, wanted));
    last = made.catch(() => undefined);
    return await made;
  };
}

export const certificatesInFolder = (
  { certificates, system, trust }: Folder & { readonly trust: () => Trust },
  resend: ResendPort,
): Pick<LivePort, 'files' | 'factsOf'> => ({
  files: async () => {
    const names = new Set(await resend.certificates());
    const listed = await listCertificates(certificates().dir, system.clock());
    return listed.map((one) => fileOf(one, names));
  },
  factsOf: async (fingerprint) => {
    const listed = await listCertificates(certificates().dir, system.clock(), trust());
    return listed.find(({ facts }) => facts.fingerprint256 === fingerprint)?.facts;
  },
});

export const certificatesShown = (
  certificates: Certificates,
  { upstream }: Pick<Answering, 'upstream'>,
): readonly OwnCertificate[] => [serverCertificate(certificates), ...(upstream?.shown() ?? [])];

function serverCertificate({ serverPem }: Certificates): OwnCertificate {
  const [der = new Uint8Array()] = parsePemFile(Buffer.from(serverPem));
  const { subject, fingerprint256, notAfter } = inspectCertificate(der, [], TRUSTS_NOBODY, 0);
  return { what: 'The server certificate', use: 'server', subject, fingerprint: fingerprint256, notAfter };
}

function fileOf({ name, facts, flaw }: ListedCertificate, sent: ReadonlySet<string>): CertificateFile {
  const { subject, organization, organizationIdentifier, fingerprint256, notAfter } = facts;
  return {
    name,
    use: name === 'ca' || name === 'server' ? name : 'test',
    subject,
    organisation: organization,
    flaw,
    notAfter,
    tpp: organizationIdentifier?.text ?? null,
    fingerprint: fingerprint256,
    canResend: sent.has(name),
  };
}
