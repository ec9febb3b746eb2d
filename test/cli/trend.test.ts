/** `sandgate report --trend` as a user types it. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { drawTrend, loadConfig } from '../../src/app/index.js';
import type { Trend } from '../../src/report/index.js';
import { createSqliteStore } from '../../src/store/index.js';
import { NOW, OTHER_TPP, TPP } from '../builders.js';
import { folderOfFile } from '../folder.js';
import { record, VALID } from '../report/a-recording.js';
import { recordTrend, SESSIONS } from '../report/trend-sessions.js';
import { sandgate } from './run-command.js';

const folder = folderOfFile();
const path = (name: string) => join(folder, name);
const store = path('sandgate.db');
const DAY = 86_400_000;

beforeAll(() => {
  const opened = createSqliteStore({ path: store });
  recordTrend(opened);
  opened.close();
});

const report = (args: readonly string[], parts = {}) =>
  sandgate(['report', ...args, '--store', store], parts);

async function trendOf(args: readonly string[], parts = {}): Promise<Trend> {
  const { status, out, err } = await report(['--trend', ...args, '--json'], parts);
  expect(err).toBe('');
  expect(status).toBe(0);
  return JSON.parse(out);
}

const historyOf = ({ rules }: Pick<Trend, 'rules'>, id: string) => {
  const found = rules.find(({ rule }) => rule === id);
  const cells = found?.history.map(({ outcome, violated, complied }) => `${outcome} ${violated}/${complied}`);
  return [found?.change, found?.firstSeen?.slice(0, 10), found?.lastSeen?.slice(0, 10), ...(cells ?? [])];
};

describe('the trend over sessions', () => {
  it.each([
    [
      'came',
      'accounts/token-not-expired',
      ['came', '2026-07-06', '2026-07-06', 'complied 0/1', 'complied 0/7', 'complied 0/2', 'violated 3/0'],
    ],
    [
      'is still violated',
      'requests/request-id-present',
      ['open', '2026-06-29', '2026-07-06', 'complied 0/7', 'complied 0/13', 'violated 2/6', 'violated 1/2'],
    ],
    [
      'went',
      'requests/psu-ip-address-valid',
      ['went', '2026-06-15', '2026-06-15', 'violated 1/2', 'complied 0/9', 'complied 0/4', 'complied 0/3'],
    ],
    [
      'was not tested since',
      'answers/error-body',
      [
        ...['not-tested-since', '2026-06-22', '2026-06-22'],
        ...['not-tested 0/0', 'violated 6/0', 'not-tested 0/0', 'not-tested 0/0'],
      ],
    ],
    ['was complied with', 'accounts/token-present', ['complied', undefined, undefined]],
  ])('tells of a rule that it %s', async (_, rule, told) => {
    const trend = await trendOf(SESSIONS);
    expect(historyOf(trend, rule)).toEqual(expect.arrayContaining(told));
    expect(historyOf(trend, rule).slice(0, told.length)).toEqual(told);
  });

  it('has the sessions in the order of their beginning, however they are named', async () => {
    const trend = await trendOf(SESSIONS.toReversed().concat('june-1'));
    expect(trend.sessions.map(({ name }) => name)).toEqual(SESSIONS);
    expect(trend.sessions.map(({ exchanges }) => exchanges)).toEqual([15, 21, 16, 3]);
    expect(trend.sessions[2]).toMatchObject({
      ...{ from: '2026-06-29T10:00:00.000Z', answerer: 'bank', profiles: 'production' },
      tpp: { mustViolated: 2 },
    });
  });

  it('chooses the sessions that began within a time', async () => {
    const trend = await trendOf(['--since', '10d'], { clock: () => NOW + 22 * DAY });
    expect(trend.sessions.map(({ name }) => name)).toEqual(['june-3', 'july-1']);
  });

  it('has a history for each of several TPPs, with its own calls alone', async () => {
    const { tpps } = await trendOf(SESSIONS);
    expect(tpps.map(({ id, exchanges }) => [id, exchanges])).toEqual([
      [TPP, 47],
      [OTHER_TPP, 2],
    ]);
    const [first, other] = tpps;
    expect(historyOf(first ?? { rules: [] }, 'requests/request-id-present').slice(3)).toEqual([
      ...['complied 0/7', 'complied 0/13', 'violated 1/6', 'violated 1/1'],
    ]);
    expect(historyOf(other ?? { rules: [] }, 'requests/request-id-present').slice(3)).toEqual([
      ...['not-tested 0/0', 'not-tested 0/0', 'violated 1/0', 'complied 0/1'],
    ]);
    expect((await trendOf(['june-1', 'june-2'])).tpps).toEqual([]);
  });

  it('counts the calls, failures and speed of the bank by week and service', async () => {
    const { availability } = await trendOf(SESSIONS);
    const weeks = availability.weeks.filter(({ service }) => service === 'AIS');
    expect(weeks.map(({ week, technical, unavailable }) => [week, technical, unavailable.periods])).toEqual([
      ['2026-06-15', 0, 0],
      ['2026-06-22', 6, 1],
      ['2026-06-29', 0, 0],
      ['2026-07-06', 0, 0],
    ]);
    expect(weeks.at(-1)).toMatchObject({ calls: 3, lastByte: { count: 3, averageMs: 10, p95Ms: 10 } });
  });

  it('says where sessions differ in what they were judged by', async () => {
    const { head } = await trendOf(SESSIONS);
    expect(head.notes[0]).toBe(
      'The sessions were judged under different profiles: sandbox (sessions 1 to 2, 4); production (session 3).',
    );
  });

  it('judges no bank by what the emulator answered, and calls it none', async () => {
    const mixed = path('mixed.db');
    const opened = createSqliteStore({ path: mixed });
    const answered = (source: 'emulator' | 'upstream') =>
      VALID.map((one) => ({ ...one, answer: one.answer && { ...one.answer, source } }));
    for (const [at, source] of (['emulator', 'emulator', 'upstream'] as const).entries())
      record(opened, answered(source), { session: `s${at + 1}`, start: NOW + at * DAY });
    opened.close();
    const draw = async (names: readonly string[]): Promise<Trend> =>
      JSON.parse((await sandgate(['report', '--trend', ...names, '--json', '--store', mixed])).out);
    const both = await draw(['s1', 's2', 's3']);
    expect(both.head.notes[0]).toBe(
      'No bank answered in sessions 1 to 2: what was answered there is not judged here.',
    );
    expect(historyOf(both, 'answers/location-present')).toEqual([
      ...['open', '2026-06-17', '2026-06-17', 'not-tested 0/0', 'not-tested 0/0', 'violated 2/0'],
    ]);
    expect(historyOf(both, 'requests/request-id-present').slice(3)).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(/^complied 0\/[1-9]/)),
    );
    const alone = await draw(['s1', 's2']);
    expect(alone.head).toMatchObject({
      answerer: 'emulator',
      notes: ['No bank answered: an emulator or a replay says nothing of one.', expect.any(String)],
    });
    expect(alone.availability.weeks).toEqual([]);
    const { out } = await sandgate([
      ...['report', '--trend', 's1', 's2', '--store', mixed],
      '--format',
      'html',
    ]);
    expect(out).toContain('>Emulator: complied<');
    expect(out).not.toContain('>Bank');
  });

  it('reads each session once', async () => {
    const opened = createSqliteStore({ path: store });
    const read: string[] = [];
    const { fingerprintKey } = opened;
    const counting = {
      fingerprintKey,
      read: (...given: Parameters<typeof opened.read>) => {
        read.push(given[0]);
        return opened.read(...given);
      },
    };
    const options = { version: '0', ownRules: [], leftOut: 0 };
    await drawTrend(counting, opened.sessions(), loadConfig({ flags: {} }), options);
    opened.close();
    expect(read).toEqual(SESSIONS);
  });

  it('is written in several formats', async () => {
    mkdirSync(path('formats'));
    const { status, out } = await report([
      ...['--trend', ...SESSIONS, '--format', 'html,json,markdown', '--out', path('formats')],
    ]);
    expect(status).toBe(0);
    expect(out).toMatch(/^4 sessions; \d+ rules violated in at least one of them\.\nWritten: /);
    expect(readdirSync(path('formats')).sort()).toEqual(['report.html', 'report.json', 'report.md']);
    const markdown = readFileSync(path('formats/report.md'), 'utf8');
    expect(markdown).toContain('| now | rule | severity | 1: 15 Jun | 2: 22 Jun | 3: 29 Jun | 4: 6 Jul |\n');
    expect(markdown).toContain('| New | `accounts/token-not-expired` | must | ✅ 1 | ✅ 7 | ✅ 2 | ❌ 3 |\n');
    expect(markdown).toContain('| 2026-06-22 | AIS |');
  });

  it.each([
    [['june-1', 'june-2'], /^A report is on one recording, and 2 are named: name one, or add --trend\.\n$/],
    [
      [],
      /^No recording is named: give a session \(sandgate sessions lists them\), a cassette or a HAR file\. See sandgate report --help\.\n$/,
    ],
    [['june-1', '--since', '9d'], /^--since chooses the sessions of a trend: add --trend\.\n$/],
    [['--trend', 'june-1', 'june-1'], /^--trend compares sessions: name two or more, or choose them with/],
    [['--trend'], /^--trend compares sessions: name two or more/],
    [['--trend', 'june-1', '--since', '9d'], /^--since chooses the sessions: omit their names\.\n$/],
    [['--trend', '--since', 'monday'], /^--since monday is not a time: give one with its unit/],
    [['--trend', '--since', '1s'], /^No session of .* began within 1s: choose a longer time/],
    [['--trend', 'june-1', 'june-9'], /june-9/],
    [
      ['--trend', 'june-1', 'june-2', '--format', 'sarif'],
      /^A trend has no format sarif; there are html, json, markdown/,
    ],
    [
      ['--trend', 'june-1', 'june-2', '--fail-on', 'must'],
      /^--fail-on does not go with --trend: omit one of them\.\n$/,
    ],
    [
      ['--trend', 'june-1', 'june-2', '--bank-profile', 'sandgate'],
      /^--bank-profile does not go with --trend/,
    ],
    [['--trend', 'june-1', 'june-2', '--tpp', TPP], /^--tpp does not go with --trend/],
    [['--trend', 'june-1', 'june-2', '--baseline', 'x.json'], /^--baseline does not go with --trend/],
  ])('refuses %j', async (args, told) => {
    const out = path('never.html');
    const { status, err } = await report([...args, '--out', out], { clock: () => NOW + 90 * DAY });
    expect(status).toBe(2);
    expect(err).toMatch(told);
    expect(existsSync(out)).toBe(false);
  });
});
