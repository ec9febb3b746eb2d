/** `sandgate report` as a user types it. */

import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildCassette } from '../../src/exchange/recording/index.js';
import type { Report } from '../../src/report/index.js';
import { dialectOf } from '../../src/spec/index.js';
import { createSqliteStore } from '../../src/store/index.js';
import { aFailedConnection, NOW } from '../builders.js';
import { buildHar } from '../exchange/har/build-har.js';
import { folderOfFile } from '../folder.js';
import { record, type Sent, VALID } from '../report/a-recording.js';
import { readJunit } from '../report/read-junit.js';
import { CONSENT } from '../rules/ledger-of.js';
import { sandgate } from './run-command.js';

const folder = folderOfFile();
const path = (name: string) => join(folder, name);
const store = path('sandgate.db');

const read = (more: Record<string, string | undefined>): Sent => ({
  call: {
    operation: 'accounts.balances',
    params: { accountId: 'ACCOUNT_ID' },
    headers: {
      Authorization: 'Bearer access-3',
      'Consent-Id': CONSENT,
      'PSU-IP-Address': '192.0.2.1',
      ...more,
    },
  },
  answer: { body: { balances: [] } },
});

beforeAll(() => {
  const opened = createSqliteStore({ path: store });
  const records = record(opened, [
    ...VALID,
    read({ Authorization: undefined }),
    read({ 'X-Request-ID': undefined }),
  ]);
  record(opened, VALID.slice(0, 1), { session: 'clean', start: NOW + 86_400_000 });
  const [creation, discovery] = VALID as [Sent, Sent];
  record(opened, [creation, { ...discovery, answer: { body: {} } }], {
    session: 'bank',
    start: NOW + 90_000_000,
  });
  record(opened, [], { session: 'empty', start: NOW + 2 * 86_400_000 });
  record(opened, [], { session: 'unheard', start: NOW + 3 * 86_400_000 });
  const failed = aFailedConnection({ session: 'unheard', id: '0000000001Z', at: NOW + 4 * 86_400_000 });
  opened.append({ records: [{ exchange: failed, verdicts: {}, findings: [] }], changes: [] });
  opened.close();
  const meta = { session: 'june', dialect: dialectOf() };
  writeFileSync(path('june.cassette.json'), [...buildCassette(records, meta)].join(''));
  writeFileSync(path('june.har'), [...buildHar(records, { ...meta, version: '0' })].join(''));
});

const report = (args: readonly string[], parts = {}) =>
  sandgate(['report', ...args, '--store', store], parts);
const jsonOf = async (args: readonly string[]): Promise<Report> => {
  const { status, out, err } = await report([...args, '--format', 'json']);
  expect(err).toBe('');
  expect(status).toBe(0);
  return JSON.parse(out);
};

describe('what its maker says of a report', () => {
  it('stands in its head, in every format that people read', async () => {
    const said = ['--purpose', 'Yearly *review*', '--prepared-by', 'Team <one>', '--for', ' Supervision '];
    const { head } = await jsonOf(['june', ...said]);
    expect([head.purpose, head.preparedBy, head.madeFor]).toEqual([
      'Yearly *review*',
      'Team <one>',
      'Supervision',
    ]);
    const html = await report(['june', ...said, '--format', 'html']);
    expect(html.out).toContain('Purpose: Yearly *review*');
    expect(html.out).toContain('Prepared by: Team &lt;one>');
    const markdown = await report(['june', ...said]);
    expect(markdown.out).toContain(
      'Purpose: Yearly \\*review\\*. Made for: Supervision. Prepared by: Team \\<one\\>.',
    );
  });

  it.each(['--purpose', '--prepared-by', '--for'])('is one line, not too long: %s', async (flag) => {
    for (const text of ['', '  ', 'a\nb', 'a\u202eb', 'a\u0000b', 'a\u2028b', 'x'.repeat(501)])
      expect(await report(['june', flag, text])).toMatchObject({
        status: 2,
        err: expect.stringContaining('without control characters'),
      });
  });
});

describe('where a report goes', () => {
  it('is standard output, with nothing else on it', async () => {
    const { status, out, err } = await report(['june']);
    expect([status, err]).toEqual([0, '']);
    expect(out).toMatch(/^## Compliance report: june\n/);
    const json = await report(['june', '--json']);
    expect(json.out).toMatch(/^\{\n {2}"format": "sandgate-report"/);
    for (const name of ['-', '/dev/stdout', '/dev/fd/1', '/proc/self/fd/1'])
      expect(await report(['june', '--json', '--out', name])).toEqual(json);
  });

  it('is a folder for several formats, which is made', async () => {
    const { status, out } = await report([
      'june',
      '--format',
      'html,json,junit,markdown,sarif',
      '--out',
      path('new/all'),
    ]);
    expect(status).toBe(0);
    expect(readdirSync(path('new/all')).sort()).toEqual([
      ...['report.html', 'report.json', 'report.junit.xml', 'report.md', 'report.sarif'],
    ]);
    expect(out).toContain('The TPP violated');
    expect(readJunit(readFileSync(path('new/all/report.junit.xml'), 'utf8')).length).toBeGreaterThan(50);
    expect(readFileSync(path('new/all/report.html'), 'utf8')).toMatch(/^<!doctype html>/i);
  });

  it('is one file for each format, or a file whose name tells the format', async () => {
    await report([
      'june',
      '--format',
      'markdown',
      '--out',
      path('a.txt'),
      '--format',
      'json',
      '--out',
      path('b.txt'),
    ]);
    expect(readFileSync(path('a.txt'), 'utf8')).toMatch(/^## /);
    expect(JSON.parse(readFileSync(path('b.txt'), 'utf8')).format).toBe('sandgate-report');
    await report(['june', '--out', path('c.sarif')]);
    expect(JSON.parse(readFileSync(path('c.sarif'), 'utf8')).version).toBe('2.1.0');
    mkdirSync(path('folder'), { recursive: true });
    await report(['june', '--format', 'junit', '--out', path('folder')]);
    expect(readdirSync(path('folder'))).toEqual(['report.junit.xml']);
  });

  it('keeps the report that was there until the new one is whole', async () => {
    const file = path('kept.json');
    writeFileSync(file, 'the one before');
    const before = openSync(file, 'r');
    await report(['june', '--out', file]);
    expect([readFileSync(before, 'utf8'), JSON.parse(readFileSync(file, 'utf8')).format]).toEqual([
      ...['the one before', 'sandgate-report'],
    ]);
    closeSync(before);
  });

  it('has the same bytes each time, whenever it is made', async () => {
    const args = ['june', '--format', 'json'];
    const first = await report(args);
    const second = await report(args, { clock: () => NOW + 9_999_999 });
    expect(second.out).toBe(first.out);
    expect(JSON.parse((await report([...args, '--made-at', 'now'])).out).head.madeAt).toBe(
      '2026-06-15T10:00:00.000Z',
    );
  });
});

describe('what a report is made of', () => {
  it.each(['june.cassette.json', 'june.har'])('may be %s', async (name) => {
    const fromStore = await jsonOf(['june']);
    const fromFile = await jsonOf([path(name)]);
    const severe = ({ findings }: Report) =>
      findings.filter(({ severity }) => severity !== 'note').map(({ rule, count }) => [rule, count]);
    expect(severe(fromFile)).toEqual(severe(fromStore));
    expect(fromFile.evidence).toMatchObject({ kind: 'file', head: null });
    expect(fromFile.head.recording.kind).toBe(name.endsWith('.har') ? 'har' : 'cassette');
  });

  it('shows no secret of a HAR that others wrote', async () => {
    const entry = {
      startedDateTime: '2026-06-15T10:00:00.000Z',
      time: 12,
      request: {
        method: 'GET',
        url: 'https://bank.example/stdgroup/v1/accounts',
        httpVersion: 'HTTP/1.1',
        headers: [
          { name: 'Authorization', value: 'Bearer s3cr3t-access-token-0001' },
          { name: 'Consent-Id', value: 'c1' },
        ],
        queryString: [],
        cookies: [],
        headersSize: -1,
        bodySize: 0,
      },
      response: {
        ...{ status: 200, statusText: 'OK', httpVersion: 'HTTP/1.1', headers: [], cookies: [] },
        content: { size: 2, mimeType: 'application/json', text: '{}' },
        ...{ redirectURL: '', headersSize: -1, bodySize: 2 },
      },
      cache: {},
      timings: { send: 0, wait: 12, receive: 0 },
    };
    const log = { version: '1.2', creator: { name: 'browser', version: '1' }, entries: [entry] };
    writeFileSync(path('browser.har'), JSON.stringify({ log }));
    const { out } = await report([path('browser.har'), '--format', 'json']);
    expect(JSON.parse(out).head.recording.exchanges).toBe(1);
    expect(out).not.toContain('s3cr3t');
    expect(out).toContain('fp_');
  });

  it('may be judged as production would', async () => {
    const { head, findings } = await jsonOf(['june', '--profile', 'production']);
    expect(head.profile).toEqual({ judged: 'production', recorded: ['sandbox'], rejudged: true });
    const found = findings.find(({ rule }) => rule === 'requests/request-id-present');
    expect(found?.severity).toBe('must');
  });

  it('takes overrides and waivers of the settings, and shows them', async () => {
    const settings = {
      rules: { 'accounts/token-present': 'note' },
      waivers: [{ rule: 'requests/request-id-present', reason: 'Ticket 4711', until: '2026-12-31' }],
    };
    writeFileSync(path('settings.json'), JSON.stringify(settings));
    const { head, verdict } = await jsonOf(['june', '--config', path('settings.json')]);
    expect(head.overrides).toMatchObject([
      { rule: 'accounts/token-present', severity: 'note', standard: 'must' },
    ]);
    expect(head.waivers).toMatchObject([{ reason: 'Ticket 4711', used: 1 }]);
    expect(head.profile.rejudged).toBe(true);
    expect(verdict.tpp.outcome).toBe('complied');
  });
});

describe('the gate', () => {
  it.each([
    ['june', ['--fail-on', 'must'], 1],
    ['june', ['--fail-on', 'should'], 1],
    ['bank', ['--fail-on', 'must'], 1],
    ['bank', ['--fail-on', 'must', '--of', 'aspsp'], 1],
    ['bank', ['--fail-on', 'must', '--of', 'tpp'], 0],
    ['clean', ['--fail-on', 'should', '--of', 'tpp'], 0],
    ['june', [], 0],
    // Nothing recorded is no reason to pass.
    ['empty', ['--fail-on', 'must'], 1],
    // Nor are connections that failed, all of them: no call came.
    ['unheard', ['--fail-on', 'must'], 1],
    ['unheard', ['--fail-on', 'must', '--of', 'tpp'], 1],
    ['unheard', ['--fail-on', 'must', '--of', 'aspsp'], 1],
  ])('%s with %j ends with status %i', async (session, args, status) => {
    const said = await report([session, ...args]);
    expect(said.status, said.err).toBe(status);
    expect(said.err).toMatch(status === 1 ? /^Failed/ : /^$/);
  });

  it('lets through what a baseline held already, where asked', async () => {
    await report(['june', '--out', path('old.json')]);
    const against = ['--baseline', path('old.json'), '--fail-on', 'must'];
    expect((await report(['june', ...against])).status).toBe(1);
    expect((await report(['june', ...against, '--new-only'])).status).toBe(0);
    await report(['clean', '--out', path('clean.json')]);
    const { status, out } = await report([
      'june',
      '--baseline',
      path('clean.json'),
      '--fail-on',
      'must',
      '--new-only',
    ]);
    expect(status).toBe(1);
    expect(out).toMatch(/Against `[^`]*clean\.json`: \*\*\d+ new\*\*/);
  });
});

describe('a mistake', () => {
  it.each([
    [['nosuch'], /neither a file nor a session.*: sandgate sessions lists/],
    [['june', '--format', 'docx'], /no format “docx”/],
    [['june', '--format', 'json,html'], /folder/],
    [['june', '--format', 'json', '--out', 'a', '--out', 'b'], /1 formats and 2 times --out/],
    [['june', '--out', 'a.json', '--out', '-'], /Standard output takes one format/],
    [['june', '--out', 'report.doc'], /does not say the format/],
    [['june', '--sign', 'nosuch.pem'], /--sign signs the files/],
    [['june', '--new-only'], /add --baseline/],
    [['june', '--of', 'tpp'], /add --fail-on/],
    [['june', '--made-at', 'soon'], /--made-at soon/],
    [['june', '--appendix', 'many'], /whole number/],
    [['june', '--baseline', 'nosuch.json'], /there is no such file/],
    [['june', '--fail-on', 'note'], /Allowed choices are must, should/],
    [['june', '--host', 'bank.example'], /--host is for files/],
  ])('%j is told, with status 2', async (args, message) => {
    const { status, out, err } = await report(args);
    expect(err).toMatch(message);
    expect([status, out]).toEqual([2, '']);
  });

  it('does not write over what it reads', async () => {
    const file = path('june.har');
    const { status, err } = await report([file, '--format', 'json', '--out', file]);
    expect(status).toBe(2);
    expect(err).toContain('already read or written');
    expect(readFileSync(file, 'utf8')).toContain('"log"');
  });

  it('of the surroundings has status 3', async () => {
    writeFileSync(path('in-the-way'), '');
    const { status, err } = await report([
      'june',
      '--format',
      'json',
      '--out',
      path('in-the-way/x/report.json'),
    ]);
    expect(status).toBe(3);
    expect(err).toMatch(/cannot be written: a part of its path is a file/);
    expect(existsSync(path('in-the-way/x'))).toBe(false);
  });
});

describe('--annotations github', () => {
  it('prints annotations alone, or beside files with what was written', async () => {
    const { out } = await report(['june', '--annotations', 'github', '--of', 'tpp']);
    expect(out).toMatch(/^::notice title=Compliance report%3A june::.+\n::error title=must /);
    expect(out.split('\n').filter((line) => !line.startsWith('::'))).toEqual(['']);
    const file = path('annotated.json');
    const beside = await report(['june', '--annotations', 'github', '--of', 'tpp', '--out', file]);
    expect(beside.out).toBe(`${out}Written: ${file}.\n`);
  });

  it('takes no other text on standard output, in which a recording could write commands', async () => {
    const { status, err } = await report(['june', '--annotations', 'github', '--format', 'markdown']);
    expect([status, err]).toEqual([2, expect.stringContaining('Standard output takes one format')]);
  });
});

describe('progress', () => {
  it('is told on a terminal, and is gone at the end', async () => {
    const opened = createSqliteStore({ path: store });
    const many = Array.from({ length: 600 }, () => read({}));
    record(opened, many, { session: 'long', start: NOW + 3 * 86_400_000 });
    opened.close();
    let now = NOW;
    const clock = () => {
      now += 400;
      return now;
    };
    const { err } = await report(['long'], { terminal: true, clock });
    expect(err).toMatch(/\rReading the recording: \d+ of 600 \(\d+%\)/);
    expect(err).toMatch(/\r +\r$/);
    expect((await report(['long'], { clock })).err).toBe('');
  });

  it('ends with a signal', async () => {
    const stop = new AbortController();
    stop.abort();
    const { status, err } = await report(['long'], { signal: stop.signal });
    expect(status).toBe(3);
    expect(err).toContain('Interrupted');
  });
});
