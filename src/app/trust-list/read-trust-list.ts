/** Opens the snapshot of trusted lists that the settings name. */
import { join } from 'node:path';
import { openTrustList, type TrustList } from '../../certificate/index.js';
import { readText } from '../../files/index.js';
import { EVIDENCE_PUBLIC } from '../certificates/evidence-key.js';
import type { Config } from '../config/config.js';

type TrustListConfig = Partial<Pick<Config, 'trustListKey' | 'evidenceKey'>> & Pick<Config, 'certs'>;

/** @throws SandgateError where it cannot be read, or was changed since it was made */
export function readTrustList({
  trustList: file,
  trustListKey,
  evidenceKey,
  certs,
}: TrustListConfig & { readonly trustList: string }): TrustList {
  const keyFile = trustListKey ?? evidenceKey ?? join(certs, EVIDENCE_PUBLIC);
  return openTrustList(readText(file, `--trust-list ${file}`), file, readText(keyFile));
}
