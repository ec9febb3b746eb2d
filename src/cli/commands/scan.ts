/** `sandgate scan`: finds secrets and personal data in files that go to git. */
import { Command } from 'commander';
import { createSandboxIbans } from '../../app/check/index.js';
import { type ScanFinding, scanText, textOfBytes } from '../../exchange/index.js';
import { counted, SandgateError } from '../../spec/index.js';
import type { CliContext } from '../context.js';
import { withInput } from '../input-file.js';
import { type FlagsOf, PRINT_JSON } from '../options.js';
import { printJson, printLine } from '../output.js';

interface FileFinding extends ScanFinding {
  readonly file: string;
}

export default function scan(context: CliContext): Command {
  return new Command('scan')
    .description('Find live tokens, keys, passwords, real IBANs and e-mail addresses in files.')
    .argument('<FILE...>', 'Cassettes, HAR files or any other text; - reads standard input.')
    .option(...PRINT_JSON)
    .action((files: readonly string[], flags: FlagsOf<[typeof PRINT_JSON]>) =>
      scanFiles(files, flags, context),
    );
}

async function scanFiles(
  files: readonly string[],
  { json }: FlagsOf<[typeof PRINT_JSON]>,
  context: CliContext,
): Promise<void> {
  const options = { isHarmlessIban: createSandboxIbans() };
  const found: FileFinding[] = [];
  for (const file of files) {
    if (context.signal.aborted)
      throw new SandgateError('run.interrupted', { what: 'not all files were looked through' });
    const text = await withInput(file, context, ({ size, read }) => textOfBytes(read(0, size)));
    found.push(...scanText(text, options).map((finding) => ({ file, ...finding })));
  }
  if (found.length > 0) context.exitWith(1);
  if (json) {
    printJson(context.stdout, { files: files.length, findings: found });
    return;
  }
  for (const { file, line, column, kind, shown } of found)
    printLine(context.stdout, `${file}:${line}:${column}  ${kind}  ${shown}`.trimEnd());
  printLine(context.stdout, summaryOf(files.length, found));
}

function summaryOf(files: number, found: readonly FileFinding[]): string {
  const all = counted(files, 'file');
  if (found.length === 0) return `Nothing found in ${all}.`;
  const hit = new Set(found.map(({ file }) => file)).size;
  return `${counted(found.length, 'finding')} in ${hit} of ${all}.`;
}
