/** What a test file needs, read from it and from the files of `test/` that it imports: by that it belongs to a project. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `fast` needs nothing; `whole` a gateway or a bank over sockets, a database, a browser or a child process; `postgres` a server of PostgreSQL; `built` the built program. */
export type Kind = 'fast' | 'whole' | 'postgres' | 'built';

/** Five seconds of the processor or ten of the clock, or more, the longest of a kind first; of all others vitest knows best. */
export const LONG: readonly string[] = [
  'test/bench.test.ts',
  'test/mutations/under-banks.test.ts',
  'examples/tpp/web/rehearsal.test.ts',
  'examples/rehearsal/rehearsal.test.ts',
  'test/page/page.test.ts',
  'test/documents/documents.test.ts',
  'test/cli/workers.test.ts',
  'test/e2e/package.test.ts',
  'test/e2e/lifecycle.test.ts',
  'test/e2e/unfinished.test.ts',
  'test/e2e/long-bodies.test.ts',
  'test/cli/bundle.test.ts',
  'test/cli/dossier.test.ts',
  'test/e2e/reload.test.ts',
  'test/e2e/erase.test.ts',
  'test/store/postgres/failover.test.ts',
  'test/page/actions.test.ts',
  'test/cli/serve-calls.test.ts',
  'test/testing/misses-in-output.test.ts',
  'test/rehearsal/signals.test.ts',
  'test/page/many-pages.test.ts',
  'test/page/one-call.test.ts',
  'test/page/views.test.ts',
  'test/page/mend.test.ts',
  'test/page/timeline.test.ts',
  'test/store/copy.test.ts',
  'test/e2e/several-gateways-postgres.test.ts',
  'test/store/postgres/faults.test.ts',
  'test/store/contract.test.ts',
  'test/store/processes.test.ts',
  'test/cli/postgres-cheats.test.ts',
  'test/mutations/mutations.test.ts',
  'test/e2e/living/sca-pages.test.ts',
  'test/report/html-browser.test.ts',
  'test/e2e/faults.test.ts',
  'test/e2e/living-kill.test.ts',
  'test/cli/verify-property.test.ts',
  'test/e2e/replay-many-clients.test.ts',
  'test/testing/equal-creations.test.ts',
  'test/testing/replay-session.test.ts',
  'test/rehearsal/verdicts.test.ts',
  'test/report/dossier/dossier.test.ts',
  'test/e2e/living-walks.test.ts',
  'test/e2e/clock.test.ts',
  'test/app/rerun/rerun.test.ts',
  'test/e2e/holding.test.ts',
];

const BUILT = /\bdist\/(?:cli|testing|page)\//;
const SERVER = /\binject\('postgres'\)/;
const WHOLE = [
  /from ['"](?:node:(?:child_process|worker_threads)|playwright-core|@sparticuz\/chromium|better-sqlite3)['"]/,
  /\b(?:startTestGateway|replaySession|startSandgate|startGateway|openGateway|replaySession|openStore|createServer|openLender)\(|[Ss]qlite(?:Store|Driver)?\(/,
];
const IMPORT = /(?:^|\n)(?:import|export)\s+(?!type\b)[^'"`;]*?['"](\.[^'"`]+)\.js['"]/g;

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Each needs more than the one before it, or is to be told apart from it. */
const KINDS: readonly Kind[] = ['fast', 'whole', 'postgres', 'built'];

function kindOfText(text: string): Kind {
  if (BUILT.test(text)) return 'built';
  if (SERVER.test(text)) return 'postgres';
  return WHOLE.some((mark) => mark.test(text)) ? 'whole' : 'fast';
}

interface Read {
  readonly kind: Kind;
  /** Of `test/` and `examples/`. */
  readonly imports: readonly string[];
}

/** Hundreds of tests import the same files. */
const known = new Map<string, Read>();

function read(file: string): Read {
  const before = known.get(file);
  if (before !== undefined) return before;
  const text = readFileSync(file, 'utf8');
  const imports = [...text.matchAll(IMPORT)]
    .map(([, from = '']) => join(dirname(file), `${from}.ts`))
    .filter((path) => /^(?:test|examples)\b/.test(relative(ROOT, path)));
  const found = { kind: kindOfText(text), imports };
  known.set(file, found);
  return found;
}

/** Of a file below the root of the project, and of what it imports. */
export function kindOfFile(path: string): Kind {
  const files = new Set([join(ROOT, path)]);
  let most = 0;
  for (const file of files) {
    const { kind, imports } = read(file);
    most = Math.max(most, KINDS.indexOf(kind));
    for (const one of imports) files.add(one);
  }
  return KINDS[most] as Kind;
}

/** Below the root of the project, by what they need. */
export function testFiles(): Readonly<Record<Kind, readonly string[]>> {
  const files: Record<Kind, string[]> = { fast: [], whole: [], postgres: [], built: [] };
  for (const folder of ['test', 'examples'])
    for (const path of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }))
      if (path.endsWith('.test.ts')) files[kindOfFile(join(folder, path))].push(join(folder, path));
  return files;
}
