/** `sandgate trust`: the EU's trusted lists as a snapshot, which a gateway reads with --trust-list. */
import { Command } from 'commander';
import { evidenceKeyOf } from '../../app/certificates/index.js';
import { loadConfig, readClockTime } from '../../app/config/index.js';
import {
  importLists,
  type MadeSnapshot,
  readTrustList,
  signersIn,
  updateLists,
} from '../../app/trust-list/index.js';
import { ageOf, staleWords } from '../../certificate/index.js';
import { dateAt, SandgateError } from '../../spec/index.js';
import type { CliContext } from '../context.js';
import { addOptions, expecting, type FlagsOf, PRINT_JSON } from '../options.js';
import { isTerminal, printJson, printLine, widthOf } from '../output.js';
import { renderTable } from '../table.js';

const LIST_OF_LISTS = 'https://ec.europa.eu/tools/lotl/eu-lotl.xml';
const DEFAULT_FILE = 'trust-list.json';

const readDay = (text: string): number | undefined => {
  const time = readClockTime(text);
  if (time?.kind !== 'at') return undefined;
  // A day is meant to its end.
  return text.includes('T') ? time.at : Date.parse(`${text}T23:59:59.999Z`);
};

const OPTIONS = [
  ['--out <FILE>', `Snapshot to write, or to renew (default: --trust-list, or ${DEFAULT_FILE}).`],
  [
    '--signers <FILE>',
    'Certificates (PEM) that may sign the list of lists, instead of those that the Official Journal named until April 2026.',
  ],
  [
    '--evidence-key <FILE>',
    'Private key (PEM) that signs the snapshot, instead of evidence.key in the folder of certificates.',
  ],
  ['--certs <DIR>', 'Folder of certificates (default: certs).'],
  PRINT_JSON,
] as const;
const IMPORT_OPTIONS = [
  [
    '--at <DATE>',
    'Day by which the lists are judged (default: now).',
    { read: expecting(readDay, 'a date is expected, as in 2020-01-31.') },
  ],
  ...OPTIONS,
] as const;
const UPDATE_OPTIONS = [
  ['--lotl <URL>', 'Address of the list of lists.', { fallback: LIST_OF_LISTS }],
  ...OPTIONS,
] as const;
const SHOW_OPTIONS = [
  [
    '--trust-list-key <FILE>',
    'Key (PEM) that signed it, instead of evidence.pub in the folder of certificates.',
  ],
  ['--certs <DIR>', 'Folder of certificates (default: certs).'],
  PRINT_JSON,
] as const;

export default function trust(context: CliContext): Command {
  const update = new Command('update').description(
    'Fetch the trusted lists, verify them, and write a snapshot.',
  );
  const read = new Command('import')
    .description('Verify the trusted lists in a folder, and write a snapshot. Nothing is fetched.')
    .argument('<DIR>', 'Folder of XML files: the list of lists, its pivots, and national lists.');
  const show = new Command('show')
    .description('Print what a snapshot of trusted lists holds.')
    .argument('[FILE]', `The snapshot (default: --trust-list, or ${DEFAULT_FILE}).`);
  return new Command('trust')
    .description('Make the EU’s trusted lists into a snapshot, by which a gateway trusts issuers of QWACs.')
    .addCommand(
      addOptions(update, UPDATE_OPTIONS).action((flags: FlagsOf<typeof UPDATE_OPTIONS>) => {
        const { lotl } = flags;
        if (!URL.canParse(lotl)) throw new SandgateError('trust-list.address', { lotl });
        return make(flags, context.clock(), new URL(lotl).href, context, (parts) =>
          updateLists(new URL(lotl), parts, context.signal),
        );
      }),
    )
    .addCommand(
      addOptions(read, IMPORT_OPTIONS).action((dir: string, flags: FlagsOf<typeof IMPORT_OPTIONS>) =>
        make(flags, flags.at ?? context.clock(), dir, context, (parts) => importLists(dir, parts)),
      ),
    )
    .addCommand(
      addOptions(show, SHOW_OPTIONS).action((file: string | undefined, flags: FlagsOf<typeof SHOW_OPTIONS>) =>
        showList(file, flags, context),
      ),
    );
}

type Flags = FlagsOf<typeof OPTIONS>;
const settingsOf = (
  { certs, evidenceKey, trustListKey }: Partial<Record<'certs' | 'evidenceKey' | 'trustListKey', string>>,
  { env }: CliContext,
) => {
  const flags = Object.entries({ certs, evidenceKey, trustListKey }).filter(
    ([, value]) => value !== undefined,
  );
  return loadConfig({ flags: Object.fromEntries(flags), env }).config;
};

async function make(
  flags: Flags,
  at: number,
  from: string,
  context: CliContext,
  take: (parts: Parameters<typeof importLists>[1]) => Promise<MadeSnapshot>,
): Promise<void> {
  const { stdout, stderr } = context;
  const config = settingsOf(flags, context);
  const out = flags.out ?? config.trustList ?? DEFAULT_FILE;
  const { pem: keyPem } = await evidenceKeyOf(config, config.certs);
  const shown = isTerminal(stderr);
  const onProgress = (text: string) => {
    if (shown) stderr.write(`\r\x1b[K${text.slice(0, 100)}`);
  };
  const { lists, isWritten } = await take({
    out,
    keyPem,
    signers: signersIn(flags.signers, at),
    at,
    onProgress,
  });
  if (shown) stderr.write('\r\x1b[K');
  if (flags.json) printJson(stdout, lists);
  else {
    const rows = lists.map(({ file, country, state, why }) => [file, country ?? '', state, why ?? '']);
    stdout.write(renderTable(['list', 'country', 'state', ''], rows, widthOf(stdout)));
  }
  if (!isWritten) throw new SandgateError('trust-list.none-trusted', { from, date: dateAt(at) });
  if (!flags.json) printLine(stdout, `Written: ${out}.`);
  if (lists.some(({ state }) => state === 'refused')) context.exitWith(1);
}

function showList(given: string | undefined, flags: FlagsOf<typeof SHOW_OPTIONS>, context: CliContext): void {
  const config = settingsOf(flags, context);
  const trustList = given ?? config.trustList ?? DEFAULT_FILE;
  const list = readTrustList({ ...config, trustList });
  const now = context.clock();
  if (flags.json) printJson(context.stdout, { digest: list.digest, ...list.snapshot });
  else {
    const rows = list.snapshot.lists.flatMap(({ country, services }) =>
      services.map(({ provider, name, periods: [period] }) => [
        country,
        provider,
        name,
        period?.purposes.join(' ') ?? '',
        period === undefined ? '' : `${period.status} since ${period.since.slice(0, 10)}`,
      ]),
    );
    context.stdout.write(
      renderTable(['country', 'provider', 'service', 'for', 'status'], rows, widthOf(context.stdout)),
    );
    printLine(context.stdout, `${ageOf(list, now)}.`);
  }
  const stale = staleWords(list, now);
  if (stale !== null) printLine(context.stderr, stale);
}
