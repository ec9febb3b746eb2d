/**
 * How long a search takes in a session of 100,000 exchanges, by the index of a gateway that rests:
 * `npx tsx bench/search.ts [STORE] [--exchanges COUNT]`, after a build. A store that is given is filled where it is new, and stays.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { ExchangeList } from '../src/admin/index.js';
import { openStore } from '../src/store/index.js';
import { benchCertificates } from './certificates.js';
import { fillStore } from './filled-store.js';
import { untilIndexed } from './indexed.js';
import { startGateway } from './processes.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { exchanges: { type: 'string', default: '100000' } },
});
const COUNT = Number(values.exchanges);
const ROUNDS = 5;
const PROGRAM = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const SEARCHES = [
  ['all', ''],
  ['a word that a tenth has', '"no uuid"'],
  ['a word that one has', '"ad2ad-nowhere" OR 000000054321'],
  ['words that none has together', 'balances "no uuid" 000000054321'],
  ['words whose letters all have', '"accounts balances"'],
  ['a request id', 'request-id:99391c7e-ad88-49ec-a2ad-000000054321'],
  ['the same as a word', '99391c7e-ad88-49ec-a2ad-000000054321'],
  ['a consent id', 'consent:VALID_CONSENT_ID'],
  ['one that is none', 'consent:NO_CONSENT_ID'],
  ['columns', 'status>=400 operation:accounts.* method:get'],
  ['columns that fit nothing', 'status:599 operation:accounts.* tpp:PSDBE-*'],
  ['columns and words', '(status:429 OR rule:requests/*) operation:oauth.token "no uuid"'],
  ['what is not', '-status:200 -status:201 -"no uuid" -method:get'],
] as const;

const folder = mkdtempSync(join(tmpdir(), 'sandgate-bench-search-'));
const store = positionals[0] ?? join(folder, 'search.db');
try {
  if (!existsSync(store)) await fillStore(await openStore(store), COUNT);
  const gateway = await startGateway({ program: PROGRAM, certs: await benchCertificates(), store }, [
    ...['--keep-size', '100GiB', '--keep-days', '10000'],
  ]);
  try {
    const search = async (q: string): Promise<{ ms: number; found: number; examined: number }> => {
      const query = new URLSearchParams({ session: 'bench', q, limit: '100' });
      const start = performance.now();
      const answer = await fetch(`${gateway.admin}/api/exchanges?${query}`);
      const { exchanges, examined } = (await answer.json()) as ExchangeList;
      return { ms: performance.now() - start, found: exchanges.length, examined };
    };
    const seconds = await untilIndexed(gateway.admin, 'bench');
    console.log(`${COUNT} exchanges; indexed after ${seconds.toFixed(0)} s`);
    for (const [name, q] of SEARCHES) {
      const rounds = [];
      const before = gateway.cpu();
      for (let i = 0; i < ROUNDS; i++) rounds.push(await search(q));
      const cpu = (((gateway.cpu() - before) / ROUNDS) * 1_000).toFixed(0).padStart(4);
      const times = rounds.map(({ ms }) => ms).sort((a, b) => a - b);
      const { found = 0, examined = 0 } = rounds[0] ?? {};
      const ms = (place: number) => (times[place] ?? 0).toFixed(0).padStart(5);
      console.log(
        `${ms(ROUNDS >> 1)} ms (worst ${ms(ROUNDS - 1)}), ${cpu} ms of the processor, ${String(found).padStart(3)} found, ${String(examined).padStart(4)} read: ${name}`,
      );
    }
  } finally {
    await gateway.stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
