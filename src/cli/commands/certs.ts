/** `sandgate certs`: makes, issues, inspects and lists test certificates, and tells when certificates end. */
import { Command } from 'commander';
import {
  authorityWarning,
  ensureCertificates,
  issueInto,
  type ListedCertificate,
  listCertificates,
  toOrder,
} from '../../app/certificates/index.js';
import { loadConfig } from '../../app/config/index.js';
import { daysLeft } from '../../certificate/index.js';
import { SandgateError } from '../../spec/index.js';
import { showCalendar } from '../certificate-calendar.js';
import type { CliContext } from '../context.js';
import {
  inspectFile,
  readInput,
  readTrust,
  renderCard,
  rolesOf,
  toRecord,
  violatesAMust,
} from '../inspect-certificates.js';
import { ISSUE_OPTIONS } from '../issue-options.js';
import { addOptions, type FlagsOf, PRINT_JSON, several } from '../options.js';
import { isTerminal, printJson, printLine, widthOf } from '../output.js';
import { renderTable } from '../table.js';

export default function certs(context: CliContext): Command {
  return new Command('certs')
    .description('Create, issue, inspect and list test certificates.')
    .addCommand(init(context))
    .addCommand(issue(context))
    .addCommand(inspect(context))
    .addCommand(list(context))
    .addCommand(calendar(context));
}

const folder = (description: string) => ['--certs <DIR>', `${description} (default: certs)`] as const;
const FOLDER_OPTIONS = [folder('Folder of the certificates.'), PRINT_JSON] as const;
type FolderOptions = FlagsOf<typeof FOLDER_OPTIONS>;
/** The folder as `serve` finds it: flag, environment, settings file. */
const dirOf = ({ certs: dir }: FolderOptions, { env }: CliContext): string =>
  loadConfig({ flags: dir === undefined ? {} : { certs: dir }, env }).config.certs;

function init(context: CliContext): Command {
  return addOptions(
    new Command('init').description('Create the test certificates that are missing or about to expire.'),
    FOLDER_OPTIONS,
  ).action(async (options: FolderOptions) => {
    const { dir, made } = await ensureCertificates(dirOf(options, context), context.clock());
    if (options.json) printJson(context.stdout, { dir, made });
    else if (made.length === 0) printLine(context.stdout, `All certificates are already in ${dir}.`);
    else printLine(context.stdout, `Created in ${dir}: ${made.join(', ')}.`);
  });
}

const ISSUE_FLAGS = [...ISSUE_OPTIONS, folder('Folder of the CA and the certificate.'), PRINT_JSON] as const;

const issue = (context: CliContext): Command =>
  addOptions(
    new Command('issue').description(
      'Issue a test certificate, signed by the CA in the folder of certificates.',
    ),
    ISSUE_FLAGS,
  ).action((options: FlagsOf<typeof ISSUE_FLAGS>) => issueWith(options, context));

async function issueWith(options: FlagsOf<typeof ISSUE_FLAGS>, context: CliContext): Promise<void> {
  const now = context.clock();
  const { passphraseFile, p12, force = false } = options;
  if (passphraseFile !== undefined && p12 === undefined)
    throw new SandgateError('certs.passphrase-alone', {});
  const secret =
    passphraseFile === undefined ? '' : (await readInput(passphraseFile, context.stdin)).toString('utf8');
  const order = toOrder(options, now);
  const warning = authorityWarning(order.organisation);
  if (warning !== null) printLine(context.stderr, warning);
  const passphrase = secret.split(/\r?\n/, 1)[0] ?? '';
  const how = {
    p12: p12 === undefined ? null : { file: p12 === true ? null : p12, passphrase },
    force: force === true,
  };
  const issued = await issueInto(dirOf(options, context), order, how, now);
  if (!options.json) {
    printLine(context.stdout, `Issued ${issued.name}: ${issued.files.join(', ')}.`);
    return;
  }
  const [inspected] = inspectFile(
    issued.files[0] ?? '',
    Buffer.from(issued.pem),
    await readTrust({}, dirOf(options, context), context.stdin),
    'sandbox',
    now,
  );
  printJson(context.stdout, {
    files: issued.files,
    ...(inspected === undefined ? {} : toRecord(inspected, now)),
  });
}

const INSPECT_OPTIONS = [
  [
    '--ca <FILE>',
    'Trust anchors (PEM), instead of ca.pem of the folder; may be repeated.',
    { read: several },
  ],
  [
    '--crl <FILE>',
    'Revocation list (PEM or DER), instead of ca.crl of the folder; may be repeated.',
    { read: several },
  ],
  ['--trust-list <FILE>', 'Snapshot of trusted lists (sandgate trust); its CAs are trusted, too.'],
  ['--trust-list-key <FILE>', 'Key (PEM) that signed --trust-list, instead of evidence.pub of the folder.'],
  ['--register <FILE>', 'Register of the EBA (JSON); what it has on the TPP is printed.'],
  [
    '--profile <NAME>',
    'Profile that sets the severity of each rule.',
    { choices: ['sandbox', 'production'], fallback: 'sandbox' },
  ],
  folder('Folder of ca.pem and ca.crl.'),
  PRINT_JSON,
] as const;
type InspectOptions = FlagsOf<typeof INSPECT_OPTIONS>;

const inspect = (context: CliContext): Command =>
  addOptions(
    new Command('inspect')
      .description('Print certificates, and judge them by the certificate/ rules.')
      .argument('[FILE...]', 'PEM or DER files; - reads standard input.'),
    INSPECT_OPTIONS,
  ).action((given: string[], options: InspectOptions) => inspectWith(given, options, context));

async function inspectWith(given: string[], options: InspectOptions, context: CliContext): Promise<void> {
  if (given.length === 0 && isTerminal(context.stdin)) throw new SandgateError('certs.none-given', {});
  const now = context.clock();
  const trust = await readTrust(options, dirOf(options, context), context.stdin);
  const inspected = [];
  for (const file of given.length === 0 ? ['-'] : given)
    inspected.push(...inspectFile(file, await readInput(file, context.stdin), trust, options.profile, now));
  if (options.json)
    printJson(
      context.stdout,
      inspected.map((one) => toRecord(one, now)),
    );
  else {
    context.stdout.write(inspected.map((one) => renderCard(one, now, widthOf(context.stdout))).join('\n'));
  }
  if (inspected.some(violatesAMust)) context.exitWith(1);
}

const CALENDAR_OPTIONS = [
  folder('Folder of the CA and the server certificate.'),
  ['--store <PATH|URL>', 'Store whose calls show certificates of TPPs (default: data/sandgate.db).'],
  PRINT_JSON,
] as const;

const calendar = (context: CliContext): Command =>
  addOptions(
    new Command('calendar')
      .description(
        'Tell when each certificate ends that is configured or was seen in calls, and what stops then.',
      )
      .argument('[FILE...]', 'Certificates (PEM or DER) that TPPs are about to use.'),
    CALENDAR_OPTIONS,
  ).action((files: string[], options: FlagsOf<typeof CALENDAR_OPTIONS>) =>
    showCalendar(files, options, context),
  );

function list(context: CliContext): Command {
  return addOptions(
    new Command('ls')
      .alias('list')
      .description('List the certificates of the folder, and what is wrong with each on purpose.'),
    FOLDER_OPTIONS,
  ).action(async (options: FolderOptions) => {
    const now = context.clock();
    const listed = await listCertificates(dirOf(options, context), now);
    const records = () => listed.map((one) => toListRecord(one, now));
    const rows = () => listed.map((one) => toRow(one, now));
    if (options.json) printJson(context.stdout, records());
    else context.stdout.write(renderTable(TABLE, rows(), widthOf(context.stdout)));
  });
}

const TABLE = ['name', 'organisation', 'roles', { right: 'days left' }, 'wrong on purpose'] as const;

function toRow({ name, facts, hasKey, flaw }: ListedCertificate, now: number): string[] {
  const organisation = facts.organizationIdentifier?.text ?? facts.organization ?? facts.commonName ?? '';
  const remark = [flaw ?? '', hasKey ? '' : 'Its key is missing.'].filter((text) => text !== '');
  return [
    name,
    organisation,
    rolesOf(facts).join(' '),
    String(daysLeft(facts.notAfter, now)),
    remark.join(' '),
  ];
}

function toListRecord({ name, facts, hasKey, flaw }: ListedCertificate, now: number) {
  return {
    name,
    organization: facts.organization,
    organizationIdentifier: facts.organizationIdentifier?.text ?? null,
    roles: rolesOf(facts),
    notBefore: facts.notBefore,
    notAfter: facts.notAfter,
    daysLeft: daysLeft(facts.notAfter, now),
    hasKey,
    flaw,
  };
}
