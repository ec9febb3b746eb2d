/** Every number on the pages of real sessions follows from the attached JSON, and one that does not is found. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readDossier } from '../../../src/report/dossier/index.js';
import type { Report } from '../../../src/report/index.js';
import { createSqliteStore, noteIn } from '../../../src/store/index.js';
import { aCertificate, aFailedConnection, OTHER_TPP, organisation } from '../../builders.js';
import { sandgate } from '../../cli/run-command.js';
import { folderOfFile } from '../../folder.js';
import { CONSENT } from '../../rules/ledger-of.js';
import { record, type Sent, VALID } from '../a-recording.js';
import { FIXED, unaccounted } from './numbers.js';
import { readPages } from './read-pages.js';
import { notRecomputed, wantedBy } from './recomputed.js';

const folder = folderOfFile();
const path = (name: string) => join(folder, name);
const store = ['--store', path('sandgate.db')];
const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

const read = (status: number, more: Partial<Sent> = {}): Sent => ({
  call: { operation: 'accounts.list', headers: { Authorization: 'Bearer access-3', 'Consent-Id': CONSENT } },
  answer: { status, body: status === 200 ? { accounts: [] } : { tppMessages: [] } },
  after: 7 * MINUTE,
  ...more,
});
const injected = read(429, { with: { injected: { fault: 'f', kind: 'answer/status', did: null } } });
/** Six days with a silent one, an outage of 47 minutes, a fault of the operator's, and reads without the PSU. */
const WITH_BANK: readonly Sent[] = [
  ...VALID,
  ...Array.from({ length: 7 }, () => read(200)),
  ...Array.from({ length: 48 }, (_, i) => read(503, { after: i === 0 ? DAY : MINUTE })),
  read(200),
  injected,
  read(429),
  read(200, { after: 3 * DAY }),
  read(403, { after: DAY }),
];
const ofEmulator = ({ answer, ...sent }: Sent): Sent => ({
  ...sent,
  answer: answer === null ? null : { ...answer, source: 'emulator' },
});
/** Two providers, and a connection of nobody known. */
const OF_TWO: readonly Sent[] = [
  ...VALID,
  read(403, {
    call: {
      operation: 'accounts.list',
      certificate: aCertificate({
        organizationIdentifier: organisation(OTHER_TPP),
        organization: 'Other TPP',
      }),
    },
  }),
  read(200, { answer: null, with: aFailedConnection({ session: 'two' }) }),
];
const WAIVERS = ['accounts/token-present', 'accounts/within-daily-limit', 'requests/request-id-present'].map(
  (rule) => ({
    ...{ rule, reason: `Agreed under ticket 4711 on ${rule}`, until: '2026-12-31' },
  }),
);

beforeAll(async () => {
  const opened = createSqliteStore({ path: path('sandgate.db') });
  record(opened, [...VALID, ...VALID].map(ofEmulator), { session: 'sandbox' });
  record(opened, WITH_BANK, { session: 'bank', waivers: WAIVERS, profile: 'production' });
  record(opened, OF_TWO, { session: 'two' });
  const [from, to] = ['2026-06-15T11:00:00.000Z', '2026-06-15T11:05:00.000Z'];
  const hole = { calls: 648, from, to };
  noteIn(opened, 'two', { at: Date.parse(to), kind: 'unrecorded', settings: hole });
  opened.close();
  const days = Array.from({ length: 9 }, (_, i) => `2026-06-${13 + i}`);
  const rows = days.flatMap((day) => [`${day},AIS,100,0.1,20`, `${day},PIS,,,`]);
  writeFileSync(path('bank.csv'), `date,service,availability,error rate,average ms\n${rows.join('\n')}\n`);
  await sandgate(['sessions', 'export', 'bank', ...store, '--format', 'har', '--out', path('bank.har')]);
});

const WHICH = [
  ['a sandbox', ['sandbox', ...store, '--made-at', '2026-06-20T08:00:00Z']],
  [
    'a bank with an outage, its statistics and waivers',
    ['bank', ...store, '--bank-statistics', path('bank.csv')],
  ],
  ['two providers', ['two', ...store]],
  ['an import', [path('bank.har')]],
] as const;

async function dossierOf(args: readonly string[]): Promise<Buffer> {
  const { err } = await sandgate(['report', ...args, '--out', path('made.pdf')]);
  expect(err).not.toMatch(/error/i);
  return readFileSync(path('made.pdf'));
}

describe('each number on the pages', () => {
  it.each(WHICH)('of %s follows from the attached JSON', async (_, args) => {
    expect(notRecomputed(await dossierOf(args))).toEqual([]);
  });

  it('is there to be found: the sessions fill the parts that hold numbers', async () => {
    const { attachments } = readDossier(await dossierOf(WHICH[1][1]));
    const { availability, head, access, dailyLimit, bankDeviations }: Report = JSON.parse(
      `${attachments.get('report.json')}`,
    );
    const [ais] = availability.services;
    expect(ais?.total.unavailable).toMatchObject({ periods: 1, atLeastMs: 47 * MINUTE });
    expect(ais?.days.map(({ calls }) => calls)).toContain(0);
    expect(availability.published?.rows.some(({ differs }) => differs)).toBe(true);
    expect(head.waivers.map(({ used }) => used).sort()).toMatchObject([0, 0, expect.any(Number)]);
    expect([access.length, dailyLimit.days.length, bankDeviations.length].every((count) => count > 0)).toBe(
      true,
    );
  });

  it('of the calls of two providers and of none of them add up to all calls, with the worst findings below', async () => {
    const bytes = await dossierOf(WHICH[2][1]);
    const [page = []] = readPages(bytes);
    const texts = page.map(({ text }) => text);
    const numberOf = (label: string) => texts[texts.findIndex((one) => one.startsWith(label)) + 1];
    const calls = ['Test TPP,', 'Other TPP,', 'Calls of none of them'].map(numberOf).map(Number);
    expect(calls).toEqual([VALID.length, 1, 1]);
    expect(texts.some((one) => one.includes(`· ${OF_TWO.length} calls ·`))).toBe(true);
    expect(texts.join(' ')).toContain('648 calls between 2026-06-15T11:00:00.000Z');
    expect(texts.indexOf('Worst first')).toBeGreaterThan(texts.indexOf('Must violated'));
  });

  it('is missed by the script if it is another one', async () => {
    const bytes = await dossierOf(WHICH[1][1]);
    const json = readDossier(bytes).attachments.get('report.json') ?? Buffer.alloc(0);
    const { blocks, typed } = wantedBy(json, [...readDossier(bytes).attachments.keys()]);
    let numbers = 0;
    for (const [i, page] of readPages(bytes).entries())
      for (const one of page) {
        const isOwn = (one.tag === 'TD' || one.tag === 'P') && !FIXED.some((fixed) => fixed.test(one.text));
        const text = one.text.replace(/[1-9]/, '0');
        if (!isOwn || text === one.text) continue;
        numbers++;
        const changed = page.map((piece) => (piece === one ? { ...piece, text } : piece));
        expect(unaccounted(changed, blocks[i] ?? [], typed), one.text).not.toBeNull();
      }
    expect(numbers).toBeGreaterThan(60);
  });
});
