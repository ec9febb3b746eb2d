/** Checks the files of a bundle: against its manifest, and by making them again from its session. */
import { MOST_FILE_BYTES, type Pieces, type Zip } from '../../files/index.js';
import type { Report } from '../../report/index.js';
import { catalogueDigest } from '../../rules/index.js';
import { counted, SandgateError } from '../../spec/index.js';
import { type Check, checked } from '../verify/index.js';
import { DOSSIER, filesOf, REPORT, RULES_FILE, type SessionStore } from './files.js';
import { MANIFEST, STATEMENT } from './manifest.js';
import type { Bundle } from './open.js';
import { digestOfPieces } from './write.js';

const detail = (text: string) => ({ exchange: null, text });

/** Each file is as the manifest lists it, none is wanting, and no other is there. `digests`: those of the files that can be read. */
export async function checkArchive({ zip, manifest }: Bundle): Promise<{
  readonly check: Check;
  readonly digests: ReadonlyMap<string, string>;
}> {
  const details: Check['details'][number][] = [];
  const listed = new Map(manifest.files.map((one) => [one.name, one]));
  if (listed.size < manifest.files.length) details.push(detail('The manifest lists a file twice.'));
  for (const name of listed.keys())
    if (!zip.has(name)) details.push(detail(`${name} is missing: the manifest lists it.`));
  const digests = new Map<string, string>();
  for (const { name } of zip.files) {
    if (name === MANIFEST || name === STATEMENT) continue;
    const wanted = listed.get(name);
    const found = await digestIn(zip, name);
    if (typeof found === 'string') details.push(detail(found));
    else digests.set(name, found.sha256);
    if (wanted === undefined) details.push(detail(`${name} is there, and the manifest does not list it.`));
    else if (typeof found !== 'string' && (found.size !== wanted.size || found.sha256 !== wanted.sha256))
      details.push(detail(`${name} is not the file that the manifest lists: it was changed.`));
  }
  const sound = details.length === 0;
  const text = sound
    ? `Its ${counted(listed.size, 'file')} are those of the manifest, to the byte.`
    : 'Its files are not those of the manifest.';
  return { check: checked('archive', sound, text, details), digests };
}

/** A sentence where it cannot be unpacked. */
async function digestIn(zip: Zip, name: string) {
  try {
    return await digestOfPieces(zip.pieces(name));
  } catch (error) {
    if (error instanceof SandgateError) return error.message;
    throw error;
  }
}

/** A dossier is compared by what it holds: how well its attachments are compressed depends on the machine. */
async function isSame(zip: Zip, digest: string, name: string, again: Pieces): Promise<boolean> {
  if (name !== DOSSIER) return (await digestOfPieces(again)).sha256 === digest;
  const { differingParts, readDossier } = await import('../../report/dossier/index.js');
  const made: Uint8Array[] = [];
  for await (const piece of again) made.push(Buffer.from(piece));
  try {
    const file = readDossier(await zip.bytes(name, MOST_FILE_BYTES));
    return differingParts(file, readDossier(Buffer.concat(made))).length === 0;
  } catch {
    return false;
  }
}

/** Whether every file but the report follows from session and report. `version`: that of this program. */
export async function checkFiles(
  opened: SessionStore,
  report: Report,
  { zip, digests }: { readonly zip: Zip; readonly digests: ReadonlyMap<string, string> },
  version: string,
): Promise<Check> {
  const details: Check['details'][number][] = [];
  const isKnown = report.head.catalogue.digest === catalogueDigest();
  const again = (await filesOf(opened, report)).filter(({ name }) => name !== REPORT);
  const compared: string[] = [];
  for (const { name, pieces } of again) {
    const digest = digests.get(name);
    if (digest === undefined) details.push(detail(`${name} is missing, or cannot be read.`));
    else if (name === RULES_FILE && !isKnown) continue;
    else if (await isSame(zip, digest, name, await pieces())) compared.push(name);
    else details.push(detail(`${name} is another one if it is made again from the session and the report.`));
  }
  for (const name of digests.keys())
    if (name !== REPORT && !again.some((one) => one.name === name))
      details.push(detail(`${name} is no file of a bundle of this session.`));
  const { version: by } = report.head.gateway;
  if (details.length > 0 && by !== version)
    details.push(
      detail(
        `The report says that Sandgate ${by} made it; this is ${version}, which may write some differently.`,
      ),
    );
  const rules = isKnown ? '' : ` ${RULES_FILE} cannot be compared: this version of Sandgate has other rules.`;
  const text =
    details.length === 0
      ? `Made again from the session and the report, ${compared.join(', ')} are the same.`
      : 'Not every file follows from the session and the report.';
  return checked('files', details.length === 0, `${text}${rules}`, details);
}
