/** Writes a report in the formats that were asked for, signed and sealed. */
import { basename } from 'node:path';
import { type DossierOrder, makeDossier } from '../app/report/index.js';
import { digestOf, type Report, reportBytes, writeStatement } from '../report/index.js';
import type { CliContext } from './context.js';
import { nameBeside, type Output, statementOf } from './report-outputs.js';
import { writeFile } from './write-file.js';

export const isBroken = ({ evidence }: Report): boolean => evidence.level === 'broken';

/** Files are written, and of all of them one statement is signed; what has no file goes to standard output. */
export async function writeReport(
  made: Report,
  outputs: readonly Output[],
  order: DossierOrder,
  { stdout }: CliContext,
): Promise<string[]> {
  const { sign } = order;
  const statement = sign === null || isBroken(made) ? null : statementOf(outputs);
  const written: { file: string; bytes: Uint8Array }[] = [];
  for (const { format, file } of outputs) {
    const named = file === null || statement === null ? {} : { statement: nameBeside(file, statement) };
    const bytes = await (format === 'pdf' ? makeDossier(made, order) : reportBytes(made, format, named));
    if (file === null) stdout.write(bytes);
    else written.push({ file, bytes });
  }
  if (statement !== null && sign !== null) {
    const stated = writeStatement(
      written.map(({ file, bytes }) => ({ name: basename(file), sha256: digestOf(bytes) })),
    );
    written.push({ file: statement, bytes: Buffer.from(await sign(stated)) });
  }
  for (const { file, bytes } of written) await writeFile(file, [bytes]);
  return written.map(({ file }) => file);
}
