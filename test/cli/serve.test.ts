/** `sandgate serve` as a person meets it: in a shell, in an empty folder. */
import { execFile } from 'node:child_process';
import { readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { startProgram, temporaryFolder } from '../e2e/child.js';
import { testCertificates } from '../e2e/harness.js';
import { sandgate } from './run-command.js';

const run = promisify(execFile);
const FREE = ['--listen', '127.0.0.1:0', '--psu-listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0'];

/** With certificates: only the first test waits until they are made. */
const shared = temporaryFolder();
beforeAll(async () => symlinkSync(await testCertificates(), join(shared, 'certs')));

describe('sandgate serve', () => {
  it('in an empty folder makes certificates and prints command lines that work as they stand', async () => {
    const child = startProgram(['serve', ...FREE, '--verbose']);
    const text = await child.prints('Stop with Ctrl-C.');
    const lines = text.split('\n').filter((line) => line.startsWith('curl '));
    expect(lines).toHaveLength(2);
    const [token, accounts] = await Promise.all(
      lines.map(async (line) => (await run('sh', ['-c', line], { cwd: child.folder })).stdout),
    );
    expect(JSON.parse(token ?? '')).toMatchObject({ token_type: 'Bearer', scope: 'AIS:VALID_CONSENT_ID' });
    expect(JSON.parse(accounts ?? '').accounts).toHaveLength(4);
    for (const url of text.match(/https?:\/\/localhost:\d+/g) ?? []) expect(new URL(url).port).not.toBe('0');

    const certs = join(child.folder, 'certs');
    const keys = readdirSync(certs).filter((name) => name.endsWith('.key'));
    expect(keys).toContain('tpp.key');
    for (const key of keys) expect(statSync(join(certs, key)).mode & 0o077).toBe(0);

    child.process.kill('SIGINT');
    const { code, stderr } = await child.ended;
    expect(code).toBe(0);
    expect(stderr).not.toContain('Bearer');
    expect(stderr).not.toContain(JSON.parse(token ?? '').access_token);
  });

  it('with the living bank prints a command line that leads to the page of a consent of its own', async () => {
    const child = startProgram(['serve', ...FREE, '--verbose', '--bank', 'living', '--store', ':memory:'], {
      folder: shared,
    });
    const text = await child.prints('Stop with Ctrl-C.');
    expect(text).not.toMatch(/VALID_CONSENT_ID|AIS_VALID_CODE/);
    const line = /^curl .*$/m.exec(text)?.[0] ?? '';
    const link = (await run('sh', ['-c', line], { cwd: shared })).stdout.trim();
    const page = await run('curl', ['-sS', '--cacert', 'certs/ca.pem', link], { cwd: shared });
    expect(page.stdout).toContain('Log in');
    child.process.kill('SIGINT');
    expect((await child.ended).code).toBe(0);
  });

  it('with --json prints one line that a script can read', async () => {
    const child = startProgram(['serve', ...FREE, '--json', '--store', ':memory:', '--session', 'mine'], {
      folder: shared,
    });
    const text = await child.prints('\n');
    const { api, psu, admin, ...rest } = JSON.parse(text);
    expect(rest).toEqual({ ready: true, session: 'mine' });
    expect([api, psu, admin].map((url) => new URL(url).protocol)).toEqual(['https:', 'https:', 'http:']);
    const health = await fetch(`${admin}/readyz`);
    expect([health.status, ((await health.json()) as { status: string }).status]).toEqual([200, 'ready']);
    child.process.kill('SIGTERM');
    expect(await child.ended).toMatchObject({ code: 0, stdout: text });
  });

  it('says which address is taken, and ends with 3', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    for (const flag of ['--listen', '--psu-listen', '--admin-listen']) {
      const own = ['--certs', await testCertificates(), '--store', ':memory:', flag, `127.0.0.1:${port}`];
      const { status, err, out } = await sandgate(['serve', ...FREE, ...own], { clock: Date.now });
      expect([status, out]).toEqual([3, '']);
      expect(err).toContain(`${flag} 127.0.0.1:${port}: another program is listening there`);
      expect(err).toContain(`(${flag} 127.0.0.1:0 takes a free one)`);
      expect(err).not.toMatch(/\n {4}at /);
    }
    other.close();
  });

  const MISTAKES: readonly (readonly [
    args: string[],
    env: Record<string, string>,
    status: number,
    words: string,
  ])[] = [
    [['serve', '--listen', 'nowhere'], {}, 2, '--listen nowhere: an address is expected'],
    [['serve', '--lissten', 'x'], {}, 2, '--listen'],
    [['serve', '--config', 'missing.json'], {}, 2, 'missing.json cannot be read: there is no such file'],
    [['serve'], { SANDGATE_STANCE: 'obey' }, 2, 'SANDGATE_STANCE=obey'],
    [['serve', '--certs', '/proc/x', ...FREE], {}, 2, 'The folder /proc/x cannot be created'],
    [['serve', '--certs', '/proc/x/y/z', ...FREE], {}, 2, 'The folder /proc/x/y/z cannot be created'],
    [['serve', '--certs', '/dev/null/x', ...FREE], {}, 2, 'cannot be read: a part of its path is a file'],
    [['servve'], {}, 2, 'servve'],
    [['certs', 'init', '--certs', '/proc/x'], {}, 2, 'The folder /proc/x cannot be created'],
    [[], {}, 2, 'Usage: sandgate'],
  ];
  it.each(MISTAKES)('%j with %j ends with %d and says why', async (args, env, status, words) => {
    const { status: ended, out, err } = await sandgate(args, { env });
    expect(err + out).toContain(words);
    expect(ended).toBe(status);
    expect(err).not.toMatch(/\n {4}at /);
  });

  it('ends with 2 where there is no folder of data', async () => {
    const own = ['--certs', await testCertificates(), '--store', ':memory:'];
    const { status, err } = await sandgate(['serve', '--data', 'nowhere', ...own, ...FREE]);
    expect(err).toContain('nowhere');
    expect(status).toBe(2);
  });

  it('ends the process with 2 after a mistake, and says why', async () => {
    const args = ['serve', '--rules', 'no/such=off', ...FREE];
    const { code, stderr, stdout } = await startProgram(args, { folder: shared }).ended;
    expect(stderr + stdout).toContain('no/such');
    expect(code).toBe(2);
    expect(stderr).not.toMatch(/\n {4}at /);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends at %s while it still starts', async (signal) => {
    const folder = temporaryFolder();
    await run('mkfifo', [join(folder, 'ca.pem')]);
    const child = startProgram(['serve', '--certs', folder, '--store', ':memory:', ...FREE], { folder });
    // Opened as soon as the other end reads; it waits for what never comes.
    const writing = await open(join(folder, 'ca.pem'), 'w');
    child.process.kill(signal);
    expect((await child.ended).signal).toBe(signal);
    await writing.close();
  });

  it('with --print-config prints what counts and where it comes from, and no secret', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'sandgate.config.json'), JSON.stringify({ profile: 'production' }));
    const env = { SANDGATE_STANCE: 'observe', SANDGATE_ADMIN_TOKEN: 'a-very-long-secret' };
    const { code, stdout } = await startProgram(['serve', '--print-config', '--json', '--segment', 'x'], {
      folder,
      env,
    }).ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      segment: { value: 'x', from: '--segment' },
      stance: { value: 'observe', from: 'SANDGATE_STANCE' },
      profile: { value: 'production', from: 'sandgate.config.json' },
      listen: { value: '127.0.0.1:8443', from: 'default' },
    });
    expect(stdout).not.toContain('a-very-long-secret');
  });

  it('with --print-config prints the severity that counts for each rule, and what is waived', async () => {
    const file = join(temporaryFolder(), 'sandgate.config.json');
    const waivers = [
      { rule: 'oauth/state-unguessable', reason: 'fixed with release 4', until: '2999-01-31' },
    ];
    writeFileSync(file, JSON.stringify({ profile: 'production', waivers }));
    const args = ['serve', '--print-config', '--config', file, '--rules', 'oauth/state-fresh=must'];
    const { status, out } = await sandgate([...args, '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(out).severities).toMatchObject({
      'oauth/state-fresh': { value: 'must', from: '--rules' },
      'oauth/state-unguessable': { value: 'should', from: 'profile production', waived: waivers },
      'payments/iban-valid': { value: 'must', from: 'profile production' },
    });
    const table = await sandgate(args);
    expect(table.out).toMatch(/^oauth\/state-fresh +must +--rules$/m);
    expect(table.out).toMatch(/^oauth\/state-unguessable +should .*until 2999-01-31: fixed with release 4$/m);
  });

  it('prints its version and its help', async () => {
    const version = await startProgram(['--version'], { folder: shared }).ended;
    expect([version.code, /^\d+\.\d+\.\d+\n$/.test(version.stdout)]).toEqual([0, true]);
    const help = await sandgate(['serve', '--help-all']);
    expect(help.status).toBe(0);
    expect(help.out).toMatch(/\n {2}--no-headers +Do not add the headers/);
    expect(help.out.match(/^\S.*:$/gm)).toEqual(
      expect.arrayContaining(['Options:', 'Who answers:', 'Recording:', 'Limits for the bank:']),
    );
  });

  it('fits the help of serve on a screen, and refers to that of all settings', async () => {
    const { out } = await sandgate(['serve', '--help']);
    expect(out.trimEnd().split('\n').length).toBeLessThanOrEqual(50);
    expect(out).toMatch(/\n {2}--help-all +Print all settings/);
    for (const name of ['doctor', 'replay'])
      expect((await sandgate([name, '--help'])).out).toContain('sandgate serve --help-all');
  });

  it('fits its own help on a screen, a line for each command, in groups', async () => {
    const { out } = await sandgate(['--help']);
    const lines = out.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(52);
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(100);
    expect(out.match(/^\w.*:$/gm)).toEqual([
      'Options:',
      'Serve and watch:',
      'Recordings:',
      'Reports and rules:',
      'Certificates and trust:',
      'Banks:',
      'Help:',
      'Examples:',
    ]);
    expect(out).toMatch(/\n {2}serve +Start the gateway\n/);
  });

  it('tells no default in the help of a command that nobody could type', async () => {
    const groups = (await sandgate(['--help'])).out.split('Serve and watch:')[1]?.split('Help:')[0];
    const names = groups?.match(/(?<=^ {2})[a-z-]+/gm) ?? [];
    expect(names).toContain('report');
    for (const name of names)
      expect((await sandgate([name, '--help'])).out, name).not.toMatch(/default: (?:\[|\{|undefined|null)/);
  });

  it.each(['bank ', 'certs ', 'clock ', 'sessions ', 'store '])(
    'says in the same words how to get more: %s--help',
    async (group) => {
      const { out } = await sandgate(`${group}--help`.split(' '));
      expect(out).toMatch(/\n {2}help \[COMMAND\] +Print the help of a command\.\n/);
    },
  );
});
