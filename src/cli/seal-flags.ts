/** The seal of a dossier on the command line. The passphrase comes from a file alone: arguments are seen by others, and logged. */
import type { DossierOrder } from '../app/report/index.js';
import { systemParts } from '../app/system/index.js';
import { readSecret } from '../files/index.js';
import { SandgateError } from '../spec/index.js';
import type { FlagsOf } from './options.js';

export const SEAL_OPTIONS = [
  [
    '--seal <FILE>',
    'Key and certificate (PKCS#12 or PEM) that seal the dossier (format pdf), as PAdES asks.',
  ],
  ['--seal-passphrase-file <FILE>', 'File with the passphrase of the seal.'],
  [
    '--timestamp-url <URL>',
    'Time stamping authority (RFC 3161) that stamps the seal (default: that of the settings).',
  ],
] as const;
type SealFlags = FlagsOf<typeof SEAL_OPTIONS>;

/** Opened before any work is done; null without a seal. `authority`: that of the settings. */
export async function openSealFlags(
  { seal: name, sealPassphraseFile: file }: SealFlags,
  { isAsked, clock }: { readonly isAsked: boolean; readonly clock: () => number },
): Promise<((authority: string | undefined) => DossierOrder['seal']) | null> {
  if (name === undefined) {
    if (file !== undefined) throw new SandgateError('report.seal-passphrase-alone', {});
    return null;
  }
  if (!isAsked) throw new SandgateError('report.seal-alone', {});
  const { openSeal } = await import('../evidence/seal/index.js');
  const passphrase =
    file === undefined
      ? null
      : readSecret(file)
          .toString('utf8')
          .replace(/\r?\n$/, '');
  const at = Math.floor(clock() / 1_000) * 1_000;
  const seal = await openSeal({ bytes: readSecret(name), name, passphrase }, at);
  const { chance } = systemParts('silent', () => undefined);
  return (authority) => ({ seal, name, at, chance, authority });
}
