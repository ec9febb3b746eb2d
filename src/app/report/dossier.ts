/** Makes the dossier of a report: attaches a signed statement, and seals it. */
import { askForTimeStamp } from '../../evidence/index.js';
import type { Seal } from '../../evidence/seal/index.js';
import { type Report, reportBytes, writeStatement } from '../../report/index.js';
import { SandgateError } from '../../spec/index.js';

export interface DossierOrder {
  /** Signs the statement over the attached files; null attaches none. */
  readonly sign: ((payload: Uint8Array) => Promise<string>) | null;
  readonly seal: {
    readonly seal: Seal;
    /** The file, as the user calls it. */
    readonly name: string;
    /** Epoch ms. */
    readonly at: number;
    readonly chance: { readonly bytes: (size: number) => Uint8Array };
    /** The authority that stamps the seal. */
    readonly authority: string | undefined;
  } | null;
}

/** A report on a broken chain proves nothing: it is neither signed nor sealed. */
export async function makeDossier(report: Report, order: DossierOrder): Promise<Buffer> {
  const { attachedFiles, fillSeal, renderDossier } = await import('../../report/dossier/index.js');
  const { sign, seal } = report.evidence.level === 'broken' ? { sign: null, seal: null } : order;
  const files = await attachedFiles(report, await reportBytes(report, 'json'));
  const statement = sign === null ? undefined : Buffer.from(await sign(writeStatement(files)));
  if (seal === null) return renderDossier(report, files, { statement });
  const { makeSignature, sealName } = await import('../../evidence/seal/index.js');
  const { authority: url, chance, at } = seal;
  const stamp = url === undefined ? null : (value: Uint8Array) => stampOver(url, chance, value);
  const by = sealName(seal.seal.certificate);
  const place = await renderDossier(report, files, { statement, seal: { by, at } });
  const filled = await fillSeal(place, (content) => makeSignature(content, seal.seal, stamp));
  if (filled.isTooLong) throw new SandgateError('seal.too-long', { file: seal.name });
  return filled.bytes;
}

async function stampOver(
  url: string,
  chance: { readonly bytes: (size: number) => Uint8Array },
  value: Uint8Array,
): Promise<Uint8Array> {
  try {
    return await askForTimeStamp({ url, chance }, value);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new SandgateError('seal.no-stamp', { why }, { cause });
  }
}
