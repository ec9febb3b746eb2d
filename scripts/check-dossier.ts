/**
 * Holds a dossier against programs of others, as far as they are installed: poppler-utils (pages, tags, fonts, seal, attachments) and
 * veraPDF (PDF/A-3a). `npx tsx scripts/check-dossier.ts RECORD.pdf`; exit status 1 where one of them disagrees.
 */
import { spawnSync } from 'node:child_process';

const [file = ''] = process.argv.slice(2);

/** What each has to say. A record that is not sealed has no signature. */
const CHECKS: readonly (readonly [command: string, args: readonly string[], says: readonly RegExp[]])[] = [
  [
    'pdfinfo',
    [file],
    [/^Pages: +3$/m, /^Tagged: +yes$/m, /^Page size: .*A4/m, /^Title: +Conformity record/m],
  ],
  ['pdffonts', [file], [/^(?:.*\n){2}(?:\S+ +CID TrueType +Identity-H +yes yes yes .*\n){2}$/]],
  [
    'pdftotext',
    ['-raw', file, '-'],
    [/^Conformity record [\s\S]*\nWho\n[\s\S]*\nVerdict\n[\s\S]*How to check this record\n/],
  ],
  ['pdfdetach', ['-list', file], [/report\.json/, /report\.html/, /availability\.csv/]],
  ['pdfsig', [file], [/does not contain any signatures|Total document signed\n[\s\S]*Signature is Valid/]],
  ['verapdf', ['--flavour', '3a', file], [/isCompliant="true"/]],
];

let wrong = 0;
for (const [command, args, says] of CHECKS) {
  const { error, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  const missing = says.filter((one) => !one.test(`${stdout}${stderr}`));
  const said =
    error !== undefined
      ? 'is not installed'
      : missing.length === 0
        ? 'agrees'
        : `says otherwise: ${stdout}${stderr}`;
  console.log(`${command}: ${said}`);
  if (error === undefined && missing.length > 0) wrong++;
}
process.exitCode = wrong === 0 ? 0 : 1;
