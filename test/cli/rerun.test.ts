/** `sandgate rerun` as a user types it. */

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { buildCassette } from '../../src/exchange/recording/index.js';
import { dialectOf } from '../../src/spec/index.js';
import { type ChangedBank, startChangedBank, TO_NOON, walkJourney } from '../app/rerun/rerun-bank.js';
import { startTestGateway, type TestGateway, testCertificates } from '../e2e/harness.js';
import { folderOfFile } from '../folder.js';

const folder = folderOfFile();
const store = join(folder, 'store.db');
const cassette = join(folder, 'monday.json');
let bank: TestGateway;
let changed: ChangedBank;
let certs: string;

beforeAll(async () => {
  certs = await testCertificates();
  const recorder = await startTestGateway({ store });
  recorder.move(TO_NOON);
  await walkJourney(recorder);
  const { api, psu } = recorder.urls;
  const meta = { session: 'test', dialect: dialectOf(), origins: { api, psu } };
  writeFileSync(cassette, [...buildCassette(await recorder.records(), meta)].join(''));
  await recorder.close();
  bank = await startTestGateway();
  bank.move(TO_NOON);
  changed = await startChangedBank(bank, {
    change: ({ json, headers }, { path }) => {
      if (path.endsWith('/balances')) json.balances[0].balanceAmount.amount = 12;
      if (path.endsWith('/status')) json.fundsAvailable = '<b>yes</b> & "more"';
      if (path.endsWith('/funds-confirmations')) headers['cache-control'] = 'private';
    },
  });
});
afterAll(async () => {
  await changed.close();
  await bank.close();
});

function collect(isTTY = false, onText: (text: string) => void = () => undefined) {
  let text = '';
  const stream = new Writable({
    write(chunk, _, done) {
      text += chunk;
      onText(text);
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY }), text: () => text };
}

interface Said {
  readonly terminal?: boolean;
  readonly stdin?: Readable;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly onErr?: (text: string) => void;
}

async function sandgate(args: readonly string[], said: Said = {}) {
  const terminal = said.terminal ?? false;
  const [out, err] = [collect(), collect(terminal, said.onErr)];
  const status = await run(['rerun', ...args], {
    stdin: said.stdin ?? Readable.from(['']),
    stdout: out.stream,
    stderr: err.stream,
    env: { SANDGATE_CERTS: certs, SANDGATE_STORE: store, ...said.env },
    clock: () => Date.now() + TO_NOON,
    signal: said.signal ?? new AbortController().signal,
  });
  return { status, out: out.text(), err: err.text() };
}

describe('sandgate rerun', () => {
  it.each([
    ['a session of the store', () => 'test'],
    ['a cassette', () => cassette],
  ])('ends with 0 where nothing breaks: %s, against the emulator', async (_, recording) => {
    const { status, out, err } = await sandgate([recording(), '--against', 'emulator']);
    expect(err).toBe('');
    expect(out).toContain(`24 calls of ${recording()} against emulator: 24 same.`);
    expect(status).toBe(0);
  });

  it('ends with 1 where something breaks, and shows each call and each difference', async () => {
    const { status, out } = await sandgate([cassette, '--against', changed.url, '--send-writes']);
    expect(status).toBe(1);
    expect(out).toMatch(/^ +# {2}RESULT +STATUS +MS +CALL\n/);
    expect(out).toMatch(/\n *11 {2}breaking +200 +\d+ +GET \/stdgroup\/v1\/accounts\/ACCOUNT_ID\/balances\n/);
    expect(out).toMatch(/\n *22 {2}additive +200 /);
    expect(out).toMatch(
      /\n#11 GET .*\n {4}breaking {2}body balances\[\]\.balanceAmount\.amount: string .* → number 12\n/,
    );
    expect(out).toContain('    value  header cache-control: no-store → private\n');
    expect(out).toContain(
      `24 calls of ${cassette} against ${changed.url}: 1 breaking, 1 additive, 1 value, 21 same.`,
    );
  });

  it('gives all of it as JSON', async () => {
    const { status, out } = await sandgate([cassette, '--against', changed.url, '--send-writes', '--json']);
    expect(status).toBe(1);
    const report = JSON.parse(out);
    expect(report).toMatchObject({
      recording: cassette,
      counts: { breaking: 1, additive: 1, value: 1, same: 21 },
    });
    expect(report.calls[10]).toMatchObject({
      ...{ number: 11, operation: 'accounts.balances', outcome: 'breaking', was: 200, now: 200 },
      differences: [{ class: 'breaking', what: 'type', place: 'body balances[].balanceAmount.amount' }],
    });
  });

  it('gives JUnit in which what breaks is a failure', async () => {
    const file = join(folder, 'junit.xml');
    const { status, out } = await sandgate([
      ...[cassette, '--against', changed.url, '--send-writes', '--format', 'junit', '--out', file],
    ]);
    expect(status).toBe(1);
    expect(out).toContain(`Written to ${file}.`);
    const xml = readFileSync(file, 'utf8');
    expect(xml).toMatch(
      /<testsuite name="[^"]+" tests="24" failures="1" errors="0" skipped="0" time="[\d.]+" timestamp="/,
    );
    expect(xml).toMatch(
      /<testcase classname="accounts.balances" name="11 GET [^"]+" time="[\d.]+">\n +<failure message="breaking {2}body balances/,
    );
    expect(xml).toContain('&lt;b&gt;yes&lt;/b&gt; &amp; &quot;more&quot;');
    expect(xml.split('<testcase ')).toHaveLength(25);
  });

  it('gives one page of HTML in which nothing is markup that came from the bank', async () => {
    const { out } = await sandgate([cassette, '--against', changed.url, '--send-writes', '--format', 'html']);
    expect(out).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(out).toContain('1 of 24 compared calls breaks.<');
    expect(out).toContain('&lt;b&gt;yes&lt;/b&gt;');
    expect(out).not.toMatch(/<b>|<script|<link|src=|href=/);
    expect(out).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  });

  it('says on that page how many calls were not compared', async () => {
    const { out } = await sandgate([cassette, '--against', changed.url, '--format', 'html']);
    expect(out).toMatch(/of (\d+) compared calls? breaks?\. \d+ of 24 calls were not compared\.</);
  });

  it('learns noise into a file, keeps what a person wrote there, and needs it no more the next time', async () => {
    let n = 0;
    const moody = await startChangedBank(bank, {
      change: ({ json }, { path }) => {
        if (path.endsWith('/status')) json.transactionStatus = ['ACSP', 'ACTC', 'PDNG'][n++ % 3];
      },
    });
    const file = join(folder, 'noise.json');
    const own = {
      operation: 'funds-*',
      place: 'body fundsAvailable',
      differs: 'value',
      because: 'The test account.',
    };
    writeFileSync(file, JSON.stringify({ format: 'sandgate-noise', version: 1, places: [own] }));
    const learned = await sandgate([
      cassette,
      '--against',
      moody.url,
      '--send-writes',
      '--learn-noise',
      file,
    ]);
    expect(learned.err).toBe(`${file} has 2 places of noise, 1 of them new. Please review it.\n`);
    const text = readFileSync(file, 'utf8');
    expect(JSON.parse(text).places).toEqual([
      own,
      {
        ...{ operation: 'payments.status', place: 'body transactionStatus' },
        ...{ differs: 'value', because: 'differed between two runs' },
      },
    ]);
    await sandgate([cassette, '--against', moody.url, '--send-writes', '--learn-noise', file]);
    expect(readFileSync(file, 'utf8')).toBe(text);
    const { out } = await sandgate([cassette, '--against', moody.url, '--send-writes', '--noise', file]);
    expect(out).toContain(': 1 noise, 23 same.');
    await moody.close();
  });

  it('keeps a history in which each difference is new once, then known, then gone, and only new ones end with 1', async () => {
    const file = join(folder, 'history.json');
    const at = (url: string) => sandgate([cassette, '--against', url, '--send-writes', '--history', file]);
    const kept = () => JSON.parse(readFileSync(file, 'utf8')).places;
    const amount = {
      ...{ operation: 'accounts.balances', class: 'breaking', what: 'type', change: 'string → number' },
      ...{ place: 'body balances[].balanceAmount.amount', exchange: expect.stringMatching(/^\S{11}$/) },
    };

    const first = await at(changed.url);
    expect(first.out).toMatch(
      /\n {4}breaking {2}body balances\[\]\.balanceAmount\.amount: .* → number 12 \(new\)\n/,
    );
    expect(first.out).toContain('21 same. Since the runs before: 2 new, 0 known, 0 gone.\n');
    expect(first.status).toBe(1);
    const [entry, ...others] = kept();
    expect(entry).toEqual({ ...amount, first: entry.last, last: entry.last });
    expect(others).toMatchObject([{ class: 'additive', what: 'added' }]);
    expect(readFileSync(file, 'utf8')).not.toMatch(/yes|3412/);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);

    const second = await at(changed.url);
    expect(second.out).toMatch(/ → number 12 \(known since \d{4}-\d\d-\d\d\)\n/);
    expect(second.out).toContain(
      '1 breaking, 1 additive, 1 value, 21 same. Since the runs before: 0 new, 2 known, 0 gone.\n',
    );
    expect(second.status).toBe(0);
    expect(kept()[0]).toEqual({ ...entry, last: expect.not.stringMatching(entry.last) });

    const other = await sandgate([
      cassette,
      '--against',
      'emulator',
      '--only',
      'operation:payments.status',
      '--history',
      file,
    ]);
    expect(other.out).toContain(' 0 new, 0 known, 1 gone.\n');
    const mended = await at('emulator');
    expect(mended.out).toMatch(
      /\nGone since the last run:\n {4}breaking {2}accounts\.balances body .*: string → number, seen from \d{4}-/,
    );
    expect(mended.out).toContain(' 0 new, 0 known, 1 gone.\n');
    expect(mended.status).toBe(0);
    const again = await at(changed.url);
    expect(again.out).toContain(' 2 new, 0 known, 0 gone.\n');
    expect(again.status).toBe(1);
  });

  it('takes a bank that is down for no known difference, and what it hides for none that is gone', async () => {
    const file = join(folder, 'down.json');
    const at = (url: string) => sandgate([cassette, '--against', url, '--send-writes', '--history', file]);
    await at(changed.url);
    const before = readFileSync(file, 'utf8');
    const down = await startChangedBank(bank, { change: (answer) => Object.assign(answer, { status: 503 }) });
    for (const _ of [1, 2]) {
      const { status, out } = await at(down.url);
      expect(out).toContain('Since the runs before: 0 new, 0 known, 0 gone.');
      expect(status).toBe(1);
    }
    await down.close();
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('sends a bank no write unasked: it prints the plan, and what was skipped does not end with 0', async () => {
    const before = changed.asked.length;
    const { status, out, err } = await sandgate([cassette, '--against', bank.urls.api]);
    expect(changed.asked).toHaveLength(before);
    expect(err).toMatch(
      /^ +# {2}PLAN +CALL\n +1 {2}hold back {2}POST \/stdgroup\/v1\/consents\n +2 {2}send +GET /,
    );
    expect(err).toContain(
      `24 calls for ${bank.urls.api}: 12 of them write, and are held back. --send-writes sends all.\n`,
    );
    expect(err).toMatch(
      /\n18 calls were skipped and so not compared: the exit status is 1; --allow-skipped makes it 0\.\n$/,
    );
    expect(out).toMatch(
      /\nNot sent, or not compared:\n {4}#1, #4, .*: it writes, and writes go to a bank only with --send-writes\n/,
    );
    expect(out).toContain(': 6 same, 18 skipped.');
    expect(status).toBe(1);
  });

  it('ends with 0 though calls were skipped where that is allowed', async () => {
    const { status, err } = await sandgate([
      cassette,
      '--against',
      bank.urls.api,
      '--allow-skipped',
      '--json',
    ]);
    expect(status).toBe(0);
    expect(err).not.toContain('status is');
    const broken = await sandgate([cassette, '--against', changed.url, '--allow-skipped']);
    expect(broken.out).toContain('additive');
    expect(broken.status).toBe(0);
  });

  it('prints where the PSU authorises with --sca manual, waits, and goes on with what it is given', async () => {
    const input = new PassThrough();
    let seen = 0;
    const said = await sandgate([cassette, '--against', bank.urls.api, '--send-writes', '--sca', 'manual'], {
      stdin: input,
      onErr: (text) => {
        const address = text.slice(seen).match(/\n {2}(https:\S+)\n\nThen paste/)?.[1];
        if (address === undefined) return;
        seen = text.length;
        void bank
          .call(`${address}&scenario=SCA_OK`, { side: 'psu' })
          .then(({ headers }) => input.write(`${headers.location}\n`));
      },
    });
    expect(said.err).toContain('Call 6 is for the PSU. Open this address in a browser and authorise:');
    expect(said.out).toContain(': 18 same, 6 sent.');
    expect(said.status).toBe(0);
  });

  it('skips the authorisation where the input ends, and does not end with 0', async () => {
    const said = await sandgate([cassette, '--against', bank.urls.api, '--send-writes', '--sca', 'manual'], {
      stdin: Readable.from([]),
    });
    expect(said.out).toMatch(/ skipped\.\n$/);
    expect(said.status).toBe(1);
  });

  it('ends with one sentence where it is interrupted while it waits for the PSU', async () => {
    const stop = new AbortController();
    const said = await sandgate([cassette, '--against', bank.urls.api, '--send-writes', '--sca', 'manual'], {
      stdin: new PassThrough(),
      signal: stop.signal,
      onErr: (text) => text.includes('Then paste') && stop.abort(),
    });
    expect(said.err.split('\n').slice(-2)).toEqual([
      'Interrupted: the PSU had not authorised yet. Run it again.',
      '',
    ]);
    expect([said.status, said.out]).toEqual([3, '']);
  });

  it.each([
    ['an argument', (token: string) => [['--token', token], {}] as const],
    [
      'a file',
      (token: string) => {
        writeFileSync(join(folder, 'token'), `${token}\n`);
        return [['--token', `@${join(folder, 'token')}`], {}] as const;
      },
    ],
    ['a variable', (token: string) => [[], { SANDGATE_TOKEN: token }] as const],
  ])('reads accounts with a token from %s, and never prints it', async (_, give) => {
    const { json } = await bank.call('/stdgroup/v1/token', {
      form: {
        ...{ grant_type: 'authorization_code', client_id: 'VALID_CLIENT_ID', code: 'AIS_VALID_CODE' },
        code_verifier: 'verifier-of-the-account-information-0123456789',
      },
    });
    const token = String(json.access_token);
    const [args, env] = give(token);
    const said = await sandgate([cassette, '--against', bank.urls.api, '--allow-skipped', ...args], { env });
    expect(said.out).toMatch(/\n *11 {2}same +200 .*balances\n/);
    expect(said.out + said.err).not.toContain(token);
    expect(said.status).toBe(0);
  });

  it('shows its progress on a terminal, and none in a pipe', async () => {
    const { err } = await sandgate(
      [cassette, '--against', bank.urls.api, '--send-writes', '--psu', bank.urls.psu],
      { terminal: true },
    );
    expect(err).toContain('Call 24 of 24');
    expect(err.endsWith('\r\u001b[2K')).toBe(true);
  });

  it('presents the certificate that it is given, and its organisation as client', async () => {
    const before = (await bank.records()).length;
    const files = ['--cert', join(certs, 'tpp-other.pem'), '--key', join(certs, 'tpp-other.key')];
    await sandgate([
      cassette,
      '--against',
      bank.urls.api,
      '--send-writes',
      ...files,
      '--ca',
      join(certs, 'ca.pem'),
    ]);
    const sent = (await bank.records()).slice(before).map(({ exchange }) => exchange.call.tpp);
    expect(new Set(sent)).toEqual(new Set(['PSDDE-BAFIN-987654', null]));
  });

  it('ends with 3 and one sentence where nobody listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const { status, out, err } = await sandgate([
      ...[cassette, '--against', `https://localhost:${port}`, '--send-writes'],
    ]);
    expect([status, out]).toEqual([3, '']);
    expect(err).toBe(
      `Nothing listens at localhost:${port} (ECONNREFUSED): start the bank, or check --against and --psu.\n`,
    );
  });

  it('ends with 3 where the certificate of the bank is of no known CA', async () => {
    const { status, err } = await sandgate([
      ...[cassette, '--against', bank.urls.api, '--send-writes', '--ca', join(certs, 'bad-untrusted.pem')],
    ]);
    expect(status).toBe(3);
    expect(err).toMatch(
      /^The certificate of localhost:\d+ is not signed by a known CA: give its CA with --ca\.\n$/,
    );
  });

  it('asks a command for tokens, and where that fails skips what needs them, and nothing else', async () => {
    const at = (url: string, command: string) =>
      sandgate([cassette, '--against', url, '--send-writes', '--token-command', command]);
    const failed = await at(changed.url, 'exit 3');
    expect(failed.out).toMatch(/#7, #8, #9.*: the token command ended with status 3\n/);
    expect(failed.out).toContain('#4 GET ');
    expect(failed.out).toContain('    value  header cache-control: no-store → private\n');
    const unknown = await at(bank.urls.api, 'echo a-token-that-nobody-gave');
    expect(unknown.out).toMatch(/\n *11 {2}breaking +200 → 401 /);
    expect(unknown.out + unknown.err).not.toContain('a-token-that-nobody-gave');
  });

  it.each([
    [['none.json', '--against', 'emulator'], /^none\.json is neither a file nor a session of the store /],
    [
      ['tuesday', '--against', 'emulator'],
      /^tuesday is neither a file nor a session .*: sandgate sessions lists what it holds\.\n$/,
    ],
    [[folder, '--against', 'emulator'], /^\S+ is neither a file nor a session/],
    [['test'], /--against/],
    [
      ['test', '--against', 'bank'],
      /^--against bank is not a URL: one such as https:\/\/api\.bank\.example is expected, or emulator\.\n$/,
    ],
    [
      ['test', '--against', 'http://bank.example'],
      /^--against http:\/\/bank\.example does not begin with https:\/\/: one such/,
    ],
    [
      ['test', '--against', 'https://bank.example?x=1'],
      /^--against https:\/\/bank\.example\?x=1 has a query or a fragment: one such/,
    ],
    [
      ['test', '--against', 'https://bank.example', '--psu', 'ftp://x'],
      /^--psu ftp:\/\/x does not begin with https:\/\/ or http:\/\/: one such/,
    ],
    [['test', '--against', 'https://bank.example', '--psu', 'x'], /^--psu x is not a URL: one such/],
    [['test', '--against', 'https://bank.example', '--cert', 'x.pem'], /^--cert and --key go together/],
    [
      ['test', '--against', 'https://bank.example', '--cert', 'x.pem', '--key', 'x.key'],
      /^x\.pem cannot be read: there is no such file/,
    ],
    [
      ['test', '--against', 'https://bank.example', '--sca', 'manual'],
      /^--sca manual needs a created consent or payment, and creating one is a write: add --send-writes\.\n$/,
    ],
    [['test', '--against', 'emulator', '--sca', 'auto'], /Allowed choices are manual/],
    [['test', '--against', 'emulator', '--token', 'two words'], /^This is not an access token: letters, /],
    [
      ['test', '--against', 'emulator', '--token', '@none.txt'],
      /^none\.txt cannot be read: there is no such/,
    ],
    [
      ['test', '--against', 'emulator', '--token', 'x', '--token-command', 'x'],
      /'--token-command <COMMAND>' cannot be used with option '--token <TOKEN>'/,
    ],
    [['test', '--against', 'emulator', '--consent', 'c1'], /^--consent needs its token: /],
    [['test', '--against', 'emulator', '--format', 'pdf'], /Allowed choices are table, json, junit, html/],
    [['test', '--against', 'emulator', '--timeout', 'soon'], /A time with its unit is expected/],
    [['test', '--against', 'emulator', '--timeout', '30'], /A time with its unit is expected/],
    [
      ['test', '--against', 'emulator', '--noise', 'none.json'],
      /^There is no file none\.json: learn one with --learn-noise\.\n$/,
    ],
    [['test', '--against', 'emulator', '--noise', cassette], /is not a noise file: at format/],
    [['test', '--against', 'emulator', '--history', cassette], /is not a history of reruns: at format/],
    [['test', '--against', 'emulator', '--only', 'colour:red'], /^The filter does not know “colour”/],
    [
      ['test', '--against', 'emulator', '--only', 'status:418'],
      /^No call of test matches the filter of --only: widen it\.\n$/,
    ],
  ])('ends with 2 and one sentence: %j', async (args, sentence) => {
    const { status, out, err } = await sandgate(args);
    expect(err).toMatch(sentence);
    expect([status, out]).toEqual([2, '']);
  });

  it('writes nothing where it is told of a fault', async () => {
    const file = join(folder, 'never.html');
    await sandgate(['tuesday', '--against', 'emulator', '--format', 'html', '--out', file]);
    expect(existsSync(file)).toBe(false);
  });
});
