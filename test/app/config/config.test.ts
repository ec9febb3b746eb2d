import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { JUDGES } from '../../../src/app/config/options.js';
import { CONFIG_OPTIONS, loadConfig } from '../../../src/app/index.js';
import { judgingOf } from '../../../src/app/report/judging.js';
import { settingsOf } from '../../../src/app/sessions/session-notes.js';
import { readText } from '../../../src/files/index.js';
import { folderOfFile } from '../../folder.js';

const folder = folderOfFile();
let files = 0;

function file(content: unknown): string {
  const path = join(folder, `${files++}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

describe('the settings', () => {
  it('have the defaults of the design where nothing is given', () => {
    const { config } = loadConfig();
    expect(config).toMatchObject({
      listen: { host: '127.0.0.1', port: 8443 },
      psuListen: { host: '127.0.0.1', port: 8444 },
      adminListen: { host: '127.0.0.1', port: 8445 },
      source: 'emulator',
      stance: 'enforce',
      profile: 'sandbox',
      certs: 'certs',
      segment: 'stdgroup',
      headers: true,
      limits: { body: 1_048_576, headers: 16_384 },
    });
    expect(config.session).toBeUndefined();
  });

  it.each(['a/b', '..', 'x y', 'a'.repeat(70), ''])('call no session “%s”', (session) => {
    expect(() => loadConfig({ flags: { session } })).toThrow(
      /^--session .*: one name of 1 to 64 letters, digits, dots, underscores or dashes/,
    );
  });

  it('may replay a session whose name could not be given today', () => {
    expect(loadConfig({ flags: { source: 'replay', replay: 'x y' } }).config.replay).toBe('x y');
  });

  it('come from flags before variables before the file before the default', () => {
    const given = { file: file({ listen: '127.0.0.1:1', psuListen: '127.0.0.1:2', segment: 'filed' }) };
    const env = { SANDGATE_LISTEN: '127.0.0.1:3', SANDGATE_PSU_LISTEN: '127.0.0.1:4' };
    const { config, effective } = loadConfig({ ...given, env, flags: { listen: '127.0.0.1:5' } });
    expect([config.listen.port, config.psuListen.port, config.segment, config.adminListen.port]).toEqual([
      5,
      4,
      'filed',
      8445,
    ]);
    const from = (key: string) => effective.find(({ option }) => option.key === key)?.from;
    expect([from('listen'), from('psuListen'), from('segment'), from('adminListen')]).toEqual([
      '--listen',
      'SANDGATE_PSU_LISTEN',
      given.file,
      'default',
    ]);
  });

  it('may be nested in the file and flat on the command line', () => {
    const { config } = loadConfig({
      file: file({ limits: { body: '2KiB', connections: 7 } }),
      env: { SANDGATE_LIMITS_CONNECTIONS: '8' },
      flags: { 'limits.keepAlive': '1m' },
    });
    expect(config.limits).toMatchObject({ body: 2048, connections: 8, keepAlive: 60_000, headers: 16_384 });
  });

  it.each([
    ['8443', '127.0.0.1', 8443],
    [':8443', '127.0.0.1', 8443],
    ['0.0.0.0:0', '0.0.0.0', 0],
    ['[::1]:9', '::1', 9],
    ['bank.example:65535', 'bank.example', 65_535],
  ])('read the address %s', (text, host, port) => {
    const { config } = loadConfig({ flags: { listen: text } });
    expect(config.listen).toEqual({ host, port });
  });

  it('read severities and lists in both their forms', () => {
    const typed = loadConfig({ flags: { rules: 'a/b=off, c/d=note', blockedOrganisations: 'X,Y' } }).config;
    const written = loadConfig({
      file: file({ rules: { 'a/b': 'off', 'c/d': 'note' }, blockedOrganisations: ['X', 'Y'] }),
    }).config;
    expect(typed.rules).toEqual({ 'a/b': 'off', 'c/d': 'note' });
    expect(written).toEqual(typed);
  });

  it('take an admin token out of a file', () => {
    const { config } = loadConfig({
      flags: { adminTokenFile: file('0123456789abcdef\n'), adminListen: '0.0.0.0:1' },
    });
    expect(config.adminToken).toBe('0123456789abcdef');
  });

  it.each([
    ['500ms', 500],
    ['1.5s', 1_500],
    ['5 m', 300_000],
    ['2h', 7_200_000],
    ['1D', 86_400_000],
    ['1w', 604_800_000],
  ])('take %s for %d ms', (text, ms) => {
    expect(loadConfig({ flags: { 'limits.idle': text } }).config.limits.idle).toBe(ms);
  });

  it.each([
    ['1', true],
    ['yes', true],
    ['ON', true],
    ['true', true],
    ['0', false],
    ['no', false],
    ['off', false],
    ['False', false],
  ])('take the switch %s for %s', (text, value) => {
    expect(loadConfig({ env: { SANDGATE_PSU_HTTP: text } }).config.psuHttp).toBe(value);
  });

  it('each have a flag, a variable and a description of their own', () => {
    for (const field of ['flag', 'variable', 'description'] as const) {
      const all = CONFIG_OPTIONS.map((option) => option[field]);
      expect(new Set(all).size).toBe(all.length);
    }
    expect(CONFIG_OPTIONS.map(({ flag }) => flag)).toContain('--limits-connections-per-address');
  });

  it('are each read somewhere', () => {
    const root = new URL('../../../src/', import.meta.url);
    const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && path !== 'app/config/config.ts')
      .map((path) => readFileSync(new URL(path, root), 'utf8'))
      // Elsewhere a common word such as `name` says nothing of a setting.
      .filter((text) => /\b(?:config|limits)\b/i.test(text))
      .map((text) => text.replace(/^ *(?:\/\*[\s\S]*?\*\/|\/\/.*)/gm, ''))
      .join('\n');
    const words = new Set(sources.match(/\w+/g));
    const keys = CONFIG_OPTIONS.map(({ key }) => key);
    expect(keys.filter((key) => !words.has(key.split('.').at(-1) ?? ''))).toEqual([]);
  });

  it('that judge are noted by sessions, and are what a report judges by', () => {
    const { config } = loadConfig();
    const read = new Set<string>();
    const watched = new Proxy(config, {
      get: (target, key, receiver) => {
        read.add(String(key));
        return Reflect.get(target, key, receiver);
      },
    });
    judgingOf(watched, { origins: [], foreign: false });
    expect([...read].sort()).toEqual([...JUDGES].sort());
    expect(Object.keys(settingsOf(config))).toEqual(expect.arrayContaining([...JUDGES]));
  });
});

describe('a mistake in the settings', () => {
  const mistakes: [string, Parameters<typeof loadConfig>[0], RegExp][] = [
    ['a flag', { flags: { listen: 'x:99999' } }, /^--listen x:99999: an address is expected/],
    [
      'a variable',
      { env: { SANDGATE_PSU_LISTEN: 'nine' } },
      /^SANDGATE_PSU_LISTEN=nine: an address is expected/,
    ],
    [
      'a value of the file',
      { file: file({ limits: { body: 'big' } }) },
      /^limits\.body in .*json is "big": a size/,
    ],
    [
      'an unknown key',
      { file: file({ lisen: '1' }) },
      /^lisen in .* is not a setting\. Did you mean listen\?/,
    ],
    [
      'all mistakes of the file at once',
      { file: file({ bnak: 'living', limits: { bodi: 1 }, stance: 'enforced' }) },
      /^bnak in .* is not a setting\. Did you mean bank\?\nlimits\.bodi in .*limits\.body\?\nstance in .*"enforced": one of/,
    ],
    ['an unknown key below', { file: file({ limits: { bodi: 1 } }) }, /Did you mean limits\.body\?/],
    [
      'an unknown variable',
      { env: { SANDGATE_LISTN: '1' } },
      /SANDGATE_LISTN .* Did you mean SANDGATE_LISTEN\?/,
    ],
    [
      'a file that is not there',
      { file: '/nowhere/x.json' },
      /\/nowhere\/x\.json cannot be read: there is no such file/,
    ],
    ['a file that is no JSON', { file: file('{') }, /is not JSON: line 1, column 2/],
    ['a file that is no object', { file: file([]) }, /must contain a JSON object/],
    ['a choice', { flags: { stance: 'obey' } }, /^--stance obey: one of enforce, observe is expected\./],
    ['a severity', { flags: { rules: 'a/b=fatal' } }, /^--rules a\/b=fatal: .*not a\/b=fatal/],
    ['a rule without severity', { flags: { rules: 'a/b' } }, /not a\/b\.$/],
    ['a time without unit', { flags: { 'limits.idle': '1000' } }, /a duration with its unit is expected/],
    [
      'a number as a time in the file',
      { file: file({ upstreamLimits: { connect: 5 } }) },
      /a duration with its unit is expected/,
    ],
    ['no time at all', { flags: { 'limits.idle': '0s' } }, /a duration with its unit is expected/],
    ['a switch', { env: { SANDGATE_PSU_HTTP: 'perhaps' } }, /true or false is expected/],
    ['a time zone', { flags: { dailyTimeZone: 'Mars' } }, /a time zone is expected/],
    [
      'a waiver without end',
      { file: file({ waivers: [{ rule: 'a', reason: 'b' }] }) },
      /waivers\[0\]\.until/,
    ],
    ['an admin listener for all', { flags: { adminListen: '0.0.0.0:1' } }, /without --admin-token/],
    ['plain HTTP for all', { flags: { psuHttp: true, psuListen: '0.0.0.0:1' } }, /loopback addresses only/],
    ['a short token', { flags: { adminToken: 'short' } }, /too short/],
  ];
  it.each(mistakes)('is told by what was typed: %s', (_name, sources, message) => {
    expect(() => loadConfig(sources)).toThrow(message);
  });

  it('never shows a secret', () => {
    let told = '';
    try {
      loadConfig({ env: { SANDGATE_ADMIN_TOKEN: '' } });
    } catch (error) {
      told = (error as Error).message;
    }
    expect(told).toContain('SANDGATE_ADMIN_TOKEN=');
    expect(() => loadConfig({ flags: { adminToken: 'hush-hush' } })).not.toThrow(/hush/);
  });
});

describe('a file that the user names', () => {
  it('is read up to a limit where it has no end', () => {
    expect(() => readText('/dev/zero')).toThrow('/dev/zero is larger than 512 MiB: split it.');
  });

  it('may be a device or a pipe', () => {
    expect(readText('/dev/null')).toBe('');
  });
});
