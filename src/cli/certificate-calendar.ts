/** `sandgate certs calendar`: when certificates end, and what stops then. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { anchorEntries, bankEntries, seenIn, serverEntry, tppEntry } from '../app/certificates/index.js';
import { type Config, dialectIn, loadConfig, openConfiguredIfAny } from '../app/config/index.js';
import { type CalendarEntry, type CalendarRow, calendarOf, type Trust } from '../certificate/index.js';
import { readText } from '../files/index.js';
import type { CliContext } from './context.js';
import { inspectFile, readInput, readTrust } from './inspect-certificates.js';
import { printJson, printLine, widthOf } from './output.js';
import { renderTable } from './table.js';

export interface CalendarOptions {
  readonly certs?: string | undefined;
  readonly store?: string | undefined;
  readonly json?: boolean | undefined;
}

/** `files`: certificates that TPPs are about to use. The exit status is 1 where a bank refuses one of those whatever its dates are. */
export async function showCalendar(
  files: readonly string[],
  options: CalendarOptions,
  context: CliContext,
): Promise<void> {
  const { certs, store } = options;
  const flags = { ...(certs === undefined ? {} : { certs }), ...(store === undefined ? {} : { store }) };
  const { config } = loadConfig({ flags, env: context.env });
  const now = context.clock();
  const trust = await trustOf(config, context);
  const given: CalendarEntry[] = [];
  for (const file of files) {
    const [inspected] = inspectFile(file, await readInput(file, context.stdin), trust, 'sandbox', now);
    if (inspected !== undefined) given.push({ ...tppEntry(inspected.facts, trust, now), what: file });
  }
  const entries = [...(await configured(config, trust)), ...given, ...(await seen(config, trust, now))];
  const rows = calendarOf(entries, now, dialectIn(config).isBoundToCertificate);
  if (options.json === true) printJson(context.stdout, rows);
  else {
    context.stdout.write(renderTable(TABLE, rows.map(toRow), widthOf(context.stdout)));
    const problems = rows.flatMap(({ what, subject, problems: all }) =>
      all.map((one) => `${what} (${subject}): ${one}`),
    );
    for (const problem of problems) printLine(context.stdout, problem);
  }
  if (given.some(({ problems }) => problems.length > 0)) context.exitWith(1);
}

const TABLE = ['ends', { right: 'days left' }, 'use', 'certificate', 'what stops then'] as const;

const toRow = ({ notAfter, daysLeft, use, what, organisation, stops }: CalendarRow): string[] => [
  notAfter.slice(0, 10),
  String(daysLeft),
  use,
  organisation === null ? what : `${what}, ${organisation}`,
  stops,
];

function trustOf(
  { certs, trustAnchors = [], crls = [], trustList, trustListKey }: Config,
  { stdin }: CliContext,
): Promise<Trust> {
  const own = (name: string): string[] => [join(certs, name)].filter((file) => existsSync(file));
  const lists = {
    ...(trustList === undefined ? {} : { trustList }),
    ...(trustListKey === undefined ? {} : { trustListKey }),
  };
  return readTrust(
    { ca: [...own('ca.pem'), ...trustAnchors], crl: [...own('ca.crl'), ...crls], ...lists },
    certs,
    stdin,
  );
}

async function configured(config: Config, trust: Trust): Promise<CalendarEntry[]> {
  const server = join(config.certs, 'server.pem');
  const own = existsSync(server) ? serverEntry(readText(server)) : [];
  return [...own, ...(await ofBank(config)), ...anchorEntries(trust)];
}

async function ofBank(config: Config): Promise<CalendarEntry[]> {
  if (config.upstream === undefined) return [];
  const [{ loadUpstream }, { bankFilesOf }] = await Promise.all([
    import('../answer/index.js'),
    import('../app/gateway/index.js'),
  ]);
  const { createCredentials } = await loadUpstream();
  const log = { info: () => {}, warn: () => {} };
  return bankEntries(createCredentials({ ...bankFilesOf(config), log, reloadMs: 0 }).shown());
}

async function seen(config: Config, trust: Trust, now: number): Promise<CalendarEntry[]> {
  const store = await openConfiguredIfAny(config);
  if (store === null) return [];
  try {
    return (await seenIn(store)).map((facts) => tppEntry(facts, trust, now));
  } finally {
    await store.close();
  }
}
