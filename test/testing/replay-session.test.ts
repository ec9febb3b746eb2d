import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readCassette } from '../../src/exchange/recording/index.js';
import { dialectOf, SandgateError } from '../../src/spec/index.js';
import { type Gateway, type RecordMode, type ReplayOptions, replaySession } from '../../src/testing/index.js';
import '../../src/testing/vitest.js';
import { buildHar } from '../exchange/har/build-har.js';
import { folderOfTest } from '../folder.js';
import { callsOf } from './calls.js';

const DAY = '2026-06-15T12:00:00Z';
const HUNDRED_DAYS_LATER = '2026-09-23T12:00:00Z';
const TWO_HUNDRED_DAYS_LATER = '2027-01-01T12:00:00Z';

beforeEach(() => {
  // The modes are what is tested here, on CI too.
  vi.stubEnv('CI', '');
  return () => vi.unstubAllEnvs();
});

function newFile(name = 'cassettes/accounts.json'): string {
  return join(folderOfTest(), name);
}

const BUILT = new URL('../../dist/testing/index.js', import.meta.url).href;
const RECORDER = `
import { Agent, request } from 'undici';
import { replaySession } from '${BUILT}';
const gateway = await replaySession(process.argv[1], { mode: process.argv[2] });
const dispatcher = new Agent(gateway.agent());
const bank = gateway.urls.api + '/stdgroup/v1/';
const form = { grant_type: 'authorization_code', client_id: 'VALID_CLIENT_ID', code: 'AIS_VALID_CODE', code_verifier: 'v'.repeat(43) };
const headers = { 'x-request-id': crypto.randomUUID(), 'content-type': 'application/x-www-form-urlencoded' };
const token = await request(bank + 'token', { dispatcher, method: 'POST', headers, body: new URLSearchParams(form).toString() });
const { access_token } = await token.body.json();
const read = { 'x-request-id': crypto.randomUUID(), authorization: 'Bearer ' + access_token, 'consent-id': 'VALID_CONSENT_ID', 'psu-ip-address': '192.0.2.1' };
await (await request(bank + 'accounts', { dispatcher, headers: read })).body.dump();
console.log('open');
for await (const _ of process.stdin);
await dispatcher.close();
await gateway.close();
`;

/** Records a token and the accounts in a process of its own, until its input ends; behind commands of a shell. */
function record(file: string, mode: RecordMode, shell = '') {
  const program = [process.execPath, '--input-type=module', '-e', RECORDER, file, mode];
  const child = spawn('/bin/sh', ['-c', `${shell} exec "$@"`, 'sh', ...program], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const text = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    text.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    text.stderr += chunk;
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...text }));
  const open = Promise.race([once(child.stdout, 'data'), ended]).then(() =>
    expect(text.stdout, text.stderr).toContain('open'),
  );
  return { child, ended, open };
}

type Paths = readonly string[];

/** Opens, reads these accounts paths with a token, closes. Gives each call's source and status. */
async function run(file: string, paths: Paths, options: ReplayOptions = {}) {
  const gateway = await replaySession(file, options);
  onTestFinished(() => gateway.close().catch(() => undefined));
  const answers = await walk(gateway, paths);
  await gateway.close();
  return { gateway, answers };
}

async function walk(gateway: Gateway, paths: Paths): Promise<string[]> {
  const calls = callsOf(gateway);
  const token = await calls.fetchToken();
  for (const path of paths) await calls.readAccounts(token, { path });
  return gateway
    .session()
    .exchanges.map(({ call, answer }) => `${answer?.source} ${call.operation} ${answer?.status}`);
}

const operationsIn = (file: string) => {
  const { records } = readCassette(readFileSync(file, 'utf8'), { name: file });
  return records.map(({ exchange }) => exchange.call.operation);
};
const BALANCES = 'accounts/ACCOUNT_ID/balances';

describe('mode once', () => {
  it('records where there is no cassette, and replays from then on', async () => {
    const file = newFile();
    const first = await run(file, ['accounts', BALANCES]);
    expect(first.answers).toEqual([
      'emulator oauth.token 200',
      'emulator accounts.list 200',
      'emulator accounts.balances 200',
    ]);
    expect(operationsIn(file)).toEqual(['oauth.token', 'accounts.list', 'accounts.balances']);
    const written = readFileSync(file, 'utf8');

    const second = await run(file, ['accounts', BALANCES]);
    expect(second.answers).toEqual([
      'replay oauth.token 200',
      'replay accounts.list 200',
      'replay accounts.balances 200',
    ]);
    expect(second.gateway).toHaveUsedWholeRecording();
    expect(readFileSync(file, 'utf8')).toBe(written);
  });

  it('explains a call that the cassette lacks, and does not record it', async () => {
    const file = newFile();
    await run(file, ['accounts']);
    const { gateway, answers } = await run(file, ['accounts', BALANCES], { log: () => undefined });
    expect(answers.at(-1)).toBe('replay accounts.balances 404');
    expect(operationsIn(file)).toEqual(['oauth.token', 'accounts.list']);
    expect(gateway.session().replay?.missed.map(({ path }) => path)).toEqual([`/stdgroup/v1/${BALANCES}`]);
  });

  it('writes the cassette when the gateway closes, whole and with nothing beside it', async () => {
    const file = newFile();
    const gateway = await replaySession(file);
    await callsOf(gateway).fetchToken();
    expect(gateway.session().recordsTo).toBe(file);
    expect(() => readFileSync(file)).toThrow('ENOENT');
    await gateway.close();
    expect(readdirSync(join(file, '..'))).toEqual(['accounts.json']);
    const text = readFileSync(file, 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      session: 'accounts',
      origins: { api: 'https://localhost:8443', psu: 'https://localhost:8444' },
    });
    expect(text).not.toContain(new URL(gateway.urls.api).host);
  });

  it('writes nothing where nothing was called, so that the next run still records', async () => {
    const file = newFile();
    const gateway = await replaySession(file);
    await gateway.close();
    expect(() => readFileSync(file)).toThrow('ENOENT');
  });

  it('replays a HAR as well', async () => {
    const file = newFile('bank.har');
    await run(file.replace('.har', '.json'), ['accounts']);
    const { records } = readCassette(readFileSync(file.replace('.har', '.json'), 'utf8'));
    const meta = { session: 's', version: '1', dialect: dialectOf() };
    writeFileSync(file, [...buildHar(records, meta)].join(''));
    const { gateway } = await run(file, ['accounts']);
    expect(gateway).toHaveUsedWholeRecording();
  });

  it('moves the dates of the recording to the day of the replay', async () => {
    const file = newFile();
    await run(file, ['accounts', BALANCES], { startAt: DAY });
    const { gateway } = await run(file, ['accounts', BALANCES], { startAt: TWO_HUNDRED_DAYS_LATER });
    expect(gateway.session().replay?.daysShifted).toBe(200);
    expect(gateway).toHaveUsedWholeRecording();
    expect(gateway).toComply();
  });
});

describe('mode new', () => {
  it('records what the cassette lacks into its place, and leaves the rest as it was', async () => {
    const file = newFile();
    await run(file, ['accounts', 'accounts/ACCOUNT_ID']);
    const before = readFileSync(file, 'utf8');
    const { answers } = await run(file, ['accounts', BALANCES, 'accounts/ACCOUNT_ID'], { mode: 'new' });
    expect(answers).toEqual([
      'replay oauth.token 200',
      'replay accounts.list 200',
      'emulator accounts.balances 200',
      'replay accounts.read 200',
    ]);
    expect(operationsIn(file)).toEqual([
      'oauth.token',
      'accounts.list',
      'accounts.balances',
      'accounts.read',
    ]);
    const kept = new Set(readFileSync(file, 'utf8').split('\n'));
    expect(before.split('\n').filter((line) => !kept.has(line))).toEqual([]);

    const { gateway } = await run(file, ['accounts', BALANCES, 'accounts/ACCOUNT_ID'], { mode: 'none' });
    expect(gateway).toHaveUsedWholeRecording();
  });

  it('records one call more than there was', async () => {
    const file = newFile();
    await run(file, ['accounts']);
    await run(file, ['accounts', 'accounts'], { mode: 'new' });
    expect(operationsIn(file)).toEqual(['oauth.token', 'accounts.list', 'accounts.list']);
  });

  it('adds on a later day as if it were the day of the recording', async () => {
    const file = newFile();
    const paths = ['accounts', BALANCES];
    await run(file, ['accounts'], { startAt: DAY });
    const before = JSON.parse(readFileSync(file, 'utf8'));
    await run(file, paths, { mode: 'new', startAt: HUNDRED_DAYS_LATER });
    const text = readFileSync(file, 'utf8');
    expect(JSON.parse(text).recorded).toBe(before.recorded);
    expect(text).toContain('"referenceDate": "2026-06-15"');
    expect(text).not.toContain('2026-09-23');

    const { gateway } = await run(file, paths, { mode: 'none', startAt: TWO_HUNDRED_DAYS_LATER });
    expect(gateway).toHaveUsedWholeRecording();
  });

  it('leaves the file alone where nothing is missing', async () => {
    const file = newFile();
    await run(file, ['accounts']);
    const before = readFileSync(file, 'utf8');
    await run(file, ['accounts'], { mode: 'new' });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('records all where there is no cassette', async () => {
    const file = newFile();
    await run(file, ['accounts'], { mode: 'new' });
    expect(operationsIn(file)).toEqual(['oauth.token', 'accounts.list']);
  });

  it('does not add to a HAR', async () => {
    const file = newFile('bank.har');
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, JSON.stringify({ log: { version: '1.2', entries: [] } }));
    await expect(replaySession(file, { mode: 'new' })).rejects.toThrow(
      'is a HAR, and mode new adds to cassettes only',
    );
  });
});

describe('mode all', () => {
  it('records again, whatever there was', async () => {
    const file = newFile();
    await run(file, ['accounts']);
    const { answers } = await run(file, [BALANCES], { mode: 'all' });
    expect(answers).toEqual(['emulator oauth.token 200', 'emulator accounts.balances 200']);
    expect(operationsIn(file)).toEqual(['oauth.token', 'accounts.balances']);
  });
});

describe('a good cassette', () => {
  it('is not replaced by less than half of it, and what was recorded is kept beside it', async () => {
    const file = newFile();
    await run(file, ['accounts', BALANCES, 'accounts/ACCOUNT_ID', 'accounts']);
    const before = readFileSync(file, 'utf8');
    await expect(run(file, ['accounts'], { mode: 'all' })).rejects.toThrow(
      `${file} is left as it was: 2 exchanges were recorded, where it holds 5. The new recording is in ${file}.new`,
    );
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(operationsIn(`${file}.new`)).toEqual(['oauth.token', 'accounts.list']);
    await run(file, ['accounts', 'accounts'], { mode: 'all' });
    expect(operationsIn(file)).toEqual(['oauth.token', 'accounts.list', 'accounts.list']);
  });

  it('is not replaced by a gateway that has lost its lock', async () => {
    const file = newFile();
    const gateway = await replaySession(file);
    await callsOf(gateway).fetchToken();
    rmSync(`${file}.lock`);
    await run(file, ['accounts']);
    await expect(gateway.close()).rejects.toThrow('its lock was removed meanwhile');
    expect(operationsIn(file)).toEqual(['oauth.token', 'accounts.list']);
    expect(operationsIn(`${file}.new`)).toEqual(['oauth.token']);
  });

  it('stays as it was where the disk is full', async () => {
    const file = newFile();
    await run(file, ['accounts', BALANCES]);
    const before = readFileSync(file, 'utf8');
    const { child, ended } = record(file, 'all', 'ulimit -f 4;');
    child.stdin.end();
    const { code, stderr } = await ended;
    expect(stderr).toContain(`The cassette ${file} cannot be written`);
    expect(code).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(readdirSync(join(file, '..'))).toEqual(['accounts.json']);
  });
});

describe('a cassette that two processes would record at once', () => {
  it('is recorded by the first; the second is told who has it, also where it comes with mode new or all', async () => {
    const file = newFile();
    await run(file, ['accounts']);
    for (const mode of ['all', 'new'] as const) {
      const first = record(file, mode);
      await first.open;
      for (const other of ['all', 'new'] as const)
        await expect(replaySession(file, { mode: other })).rejects.toThrow(
          new RegExp(`is being recorded by another gateway, of process ${first.child.pid} on \\S+, since 20`),
        );
      await run(file, ['accounts']);
      first.child.stdin.end();
      expect((await first.ended).code).toBe(0);
    }
    expect(operationsIn(file)).toEqual(['oauth.token', 'accounts.list']);
    expect(readdirSync(join(file, '..'))).toEqual(['accounts.json']);
  });

  it('can be recorded again at once where the first was killed', async () => {
    const file = newFile();
    const first = record(file, 'once');
    await first.open;
    first.child.kill('SIGKILL');
    await first.ended;
    expect(readdirSync(join(file, '..'))).toEqual(['accounts.json.lock']);
    await run(file, ['accounts']);
    expect(operationsIn(file)).toEqual(['oauth.token', 'accounts.list']);
    expect(readdirSync(join(file, '..'))).toEqual(['accounts.json']);
  });

  it('is replayed where another recorded it before the lock was ours, and is left without a lock', async () => {
    const file = newFile();
    await run(file, ['accounts']);
    const written = readFileSync(file, 'utf8');
    rmSync(file);
    // Whoever has a lock lets go of it at the end of the process: until then, the other one has ended.
    const held = vi.spyOn(process, 'once').mockImplementationOnce(() => {
      writeFileSync(file, written);
      return process;
    });
    const { answers } = await run(file, ['accounts']);
    expect(held).toHaveBeenCalled();
    expect(answers).toEqual(['replay oauth.token 200', 'replay accounts.list 200']);
    expect(readdirSync(join(file, '..'))).toEqual(['accounts.json']);
  });

  it('is left to a process of another machine, whether it lives or not', async () => {
    const file = newFile();
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(`${file}.lock`, '{"pid":1,"host":"another.example","since":"2026-11-22T06:00:00.000Z"}');
    await expect(replaySession(file)).rejects.toThrow(
      `of process 1 on another.example, since 2026-11-22T06:00:00.000Z: give each test its own cassette. If it is no longer being recorded, delete ${file}.lock.`,
    );
  });
});

describe('SANDGATE_RECORD', () => {
  it('is the mode instead of what the test asks for', async () => {
    const file = newFile();
    await run(file, ['accounts']);
    vi.stubEnv('SANDGATE_RECORD', 'new');
    await run(file, ['accounts', BALANCES]);
    expect(operationsIn(file)).toEqual(['oauth.token', 'accounts.list', 'accounts.balances']);
    vi.stubEnv('SANDGATE_RECORD', 'all');
    await run(file, ['accounts/ACCOUNT_ID', 'accounts']);
    expect(operationsIn(file)).toEqual(['oauth.token', 'accounts.read', 'accounts.list']);
  });

  it('leaves mode none as it is, records nothing on CI, and is no other word', async () => {
    const file = newFile();
    await run(file, ['accounts']);
    vi.stubEnv('SANDGATE_RECORD', 'all');
    const { answers } = await run(file, ['accounts'], { mode: 'none' });
    expect(answers).toEqual(['replay oauth.token 200', 'replay accounts.list 200']);
    vi.stubEnv('CI', 'true');
    await expect(replaySession(file)).rejects.toThrow('On CI nothing is recorded');
    vi.stubEnv('CI', '');
    vi.stubEnv('SANDGATE_RECORD', 'yes');
    await expect(replaySession(file)).rejects.toThrow('SANDGATE_RECORD=yes is not a record mode');
  });

  it('is named by a miss, with the mode that records it', async () => {
    const file = newFile();
    await run(file, ['accounts']);
    const { gateway } = await run(file, ['accounts', BALANCES, 'accounts'], { log: () => undefined });
    const texts = gateway.session().replay?.missed.map(({ text }) => text) ?? [];
    expect(texts).toHaveLength(2);
    for (const text of texts)
      expect(text).toContain('Mode new adds it to the recording: SANDGATE_RECORD=new npx vitest run');
  });
});

describe('mode none', () => {
  it('only replays', async () => {
    const file = newFile();
    await run(file, ['accounts']);
    const { answers } = await run(file, ['accounts'], { mode: 'none', upstream: 'https://bank.example' });
    expect(answers).toEqual(['replay oauth.token 200', 'replay accounts.list 200']);
  });

  it('says that there is no cassette', async () => {
    const missing = replaySession('nowhere/accounts.json', { mode: 'none' });
    await expect(missing).rejects.toThrow(SandgateError);
    await expect(missing).rejects.toThrow(
      'There is no cassette nowhere/accounts.json, and mode none only replays',
    );
  });
});

describe('a mode that there is not', () => {
  it('is refused, and records nothing', async () => {
    const refused = replaySession(newFile(), { mode: 'always' as 'all' });
    await expect(refused).rejects.toThrow('always is not a record mode: these are: once, new, all, none.');
  });
});

describe('on CI', () => {
  beforeEach(() => {
    vi.stubEnv('CI', 'true');
  });

  it.each(['once', 'new', 'all'] as const)(
    'mode %s does not record a cassette that is missing',
    async (mode) => {
      const file = newFile();
      const refused = replaySession(file, { mode });
      await expect(refused).rejects.toThrow(SandgateError);
      await expect(refused).rejects.toThrow('On CI nothing is recorded (CI is set)');
      await expect(refused).rejects.toThrow(file);
    },
  );

  it('a cassette that is there is replayed, and not recorded again', async () => {
    vi.stubEnv('CI', '');
    const file = newFile();
    await run(file, ['accounts']);
    for (const ci of ['true', '1']) {
      vi.stubEnv('CI', ci);
      for (const mode of ['once', 'new', 'none'] as const) {
        const { gateway } = await run(file, ['accounts'], { mode });
        expect(gateway).toHaveUsedWholeRecording();
      }
      await expect(replaySession(file, { mode: 'all' })).rejects.toThrow('use mode once or none there');
    }
  });

  it('mode new names the calls that it would have recorded', async () => {
    vi.stubEnv('CI', '');
    const file = newFile();
    await run(file, ['accounts']);
    vi.stubEnv('CI', 'true');
    const before = readFileSync(file, 'utf8');
    const refused = run(file, ['accounts', BALANCES], { mode: 'new', log: () => undefined });
    await expect(refused).rejects.toThrow(`lacks GET /stdgroup/v1/${BALANCES}: record it on your machine`);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});

describe('a cassette', () => {
  it('is recorded by one gateway at a time', async () => {
    const file = newFile();
    const gateway = await replaySession(file);
    await expect(replaySession(file)).rejects.toThrow('is being recorded by another gateway');
    await gateway.close();
    await (await replaySession(file)).close();
  });

  it('in a folder that cannot be written is told before anything is recorded', async () => {
    const file = newFile('a-file/accounts.json');
    writeFileSync(join(file, '..'), '');
    await expect(replaySession(file)).rejects.toThrow(`The cassette ${file} cannot be written`);
    await expect(replaySession('/proc/no-such-folder/accounts.json')).rejects.toThrow('cannot be written');
  });

  it('that cannot be written any more is told, and the gateway is closed all the same', async () => {
    const file = newFile();
    const gateway = await replaySession(file);
    await callsOf(gateway).fetchToken();
    mkdirSync(file);
    await expect(gateway.close()).rejects.toThrow(`The cassette ${file} cannot be written`);
    await expect(fetch(gateway.urls.admin)).rejects.toThrow();
    expect(readdirSync(join(file, '..'))).toEqual(['accounts.json']);
  });

  it('that cannot be read is told with the place', async () => {
    const file = newFile('broken.json');
    writeFileSync(file, '{"format":"sandgate-cassette","version":1,"exchanges":7}');
    await expect(replaySession(file)).rejects.toThrow(`${file} cannot be read`);
    await expect(replaySession(file, { mode: 'new' })).rejects.toThrow(`${file} cannot be read`);
    // Whoever mends it is not told that somebody records it.
    expect(readdirSync(join(file, '..'))).toEqual(['broken.json']);
  });

  it('holds what the rules refused, unless they refuse in the replay too', async () => {
    for (const [options, sources] of [
      [{}, ['oauth.token', 'accounts.list', null]],
      [{ stance: 'enforce' }, ['oauth.token', 'accounts.list']],
    ] as const) {
      const file = newFile();
      const paths = ['accounts', 'no-such-path'];
      const { answers } = await run(file, paths, options);
      expect(answers.at(-1)).toMatch(/^rule null 4/);
      expect(operationsIn(file)).toEqual(sources);
      const { gateway } = await run(file, paths, options);
      expect(gateway).toHaveUsedWholeRecording();
    }
  });

  it('holds no secret', async () => {
    const file = newFile();
    const gateway = await replaySession(file);
    const calls = callsOf(gateway);
    const token = await calls.fetchToken();
    await calls.readAccounts(token);
    await gateway.close();
    expect(token).toHaveLength(96);
    expect(readFileSync(file, 'utf8')).not.toContain(token);
  });
});
