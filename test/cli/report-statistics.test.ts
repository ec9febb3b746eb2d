/** `sandgate report --bank-statistics`, the table of availability, and what `verify` says of both. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSqliteStore } from '../../src/store/index.js';
import { folderOfFile } from '../folder.js';
import { record, type Sent } from '../report/a-recording.js';
import { CONSENT } from '../rules/ledger-of.js';
import { sandgate } from './run-command.js';

const folder = folderOfFile();
const path = (name: string) => join(folder, name);
const store = ['--store', path('sandgate.db')];

const read = (status: number): Sent => ({
  call: { operation: 'accounts.list', headers: { Authorization: 'Bearer x', 'Consent-Id': CONSENT } },
  answer: { status, body: status === 200 ? { accounts: [] } : { tppMessages: [] } },
  after: 60_000,
});

beforeAll(() => {
  const opened = createSqliteStore({ path: path('sandgate.db') });
  record(opened, [read(200), ...Array.from({ length: 48 }, () => read(503)), read(200)]);
  opened.close();
  writeFileSync(
    path('bank.csv'),
    'Datum;Dienst;Verfügbarkeit;Antwortzeit\n15.06.2026;AIS;100,00;9,5\n15.06.2026;PIS;100;\n16.06.2026;AIS;99,9;\n',
  );
});

const report = (...args: readonly string[]) => sandgate(['report', 'june', ...store, ...args]);
const drawn = async (...args: readonly string[]) => {
  const { out, err } = await report('--json', ...args);
  expect(err).toBe('');
  return JSON.parse(out);
};

describe('the statistics of a bank beside what was seen', () => {
  it('show where it publishes more than can have been', async () => {
    const { availability } = await drawn('--bank-statistics', path('bank.csv'));
    expect(availability.published).toEqual({
      name: 'bank.csv',
      rows: [
        {
          published: {
            day: '2026-06-15',
            service: 'AIS',
            availability: 100,
            errorRate: null,
            averageMs: 9.5,
          },
          // 47 and 49 of 1440 minutes, with the 12.5 ms of the last answer.
          seen: { availabilityFrom: 96.597, availabilityTo: 96.736, errorRate: 96, averageMs: 10 },
          differs: true,
        },
      ],
      notSeen: 2,
    });
  });

  it('are in the report, which verify makes again without the file', async () => {
    await report('--format', 'json,csv', '--out', path('made'), '--bank-statistics', path('bank.csv'));
    const { status, out } = await sandgate(['verify', path('made/report.json'), ...store]);
    expect([status, out]).toEqual([
      0,
      expect.stringMatching(/contents +sound .*file of these statistics, statistics of the bank/),
    ]);
    const text = readFileSync(path('made/report.json'), 'utf8');
    writeFileSync(path('made/report.json'), text.replace('"availability": 100,', '"availability": 96.7,'));
    const changed = await sandgate(['verify', path('made/report.json'), ...store]);
    expect(changed).toMatchObject({
      status: 1,
      out: expect.stringMatching(/availability\.published|published/),
    });
  });

  it('have an error where the file is too large, or is none', async () => {
    writeFileSync(path('large.csv'), 'x'.repeat(1_048_577));
    expect(await report('--bank-statistics', path('large.csv'))).toMatchObject({
      status: 2,
      err: expect.stringContaining('is larger than 1 MiB'),
    });
    writeFileSync(path('none.csv'), 'date,service,uptime\n2026-06-15,AIS,much\n');
    expect(await report('--bank-statistics', path('none.csv'))).toMatchObject({
      status: 2,
      err: expect.stringMatching(/none\.csv, line 2: the availability “much” is not read/),
    });
  });
});

describe('the table of availability as CSV', () => {
  it('has a heading, the whole time and each day, with CRLF and no cell that could be a formula', async () => {
    const { out } = await report('--format', 'csv', '--bank-statistics', path('bank.csv'));
    const lines = out.split('\r\n');
    expect(lines.at(-1)).toBe('');
    const [heading = [], ...rows] = lines.slice(0, -1).map((line) => line.split(','));
    expect(new Set(rows.map(({ length }) => length))).toEqual(new Set([heading.length]));
    const named = rows.map((row) => Object.fromEntries(heading.map((name, i) => [name, row[i]])));
    expect(named).toMatchObject([
      { service: 'AIS', day: 'all', calls: '50', failed_technical: '48', published_differs: '' },
      {
        ...{
          service: 'AIS',
          day: '2026-06-15',
          calls: '50',
          refused_mistakes: '0',
          last_byte_average_ms: '10',
        },
        ...{ unavailable_periods: '1', unavailable_at_least_s: '2820', unavailable_at_most_s: '2940' },
        ...{
          longest_time_without_call_s: '60',
          published_availability_percent: '100',
          published_differs: 'yes',
        },
      },
    ]);
    for (const cell of rows.flat()) expect(cell).toMatch(/^$|^[A-Za-z0-9][A-Za-z0-9.-]*$/);
  });
});
