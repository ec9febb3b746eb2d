/** `sandgate doctor`: what it finds on this machine, and what it tells a script. */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Examination, ensureCertificates } from '../../src/app/index.js';
import { run } from '../../src/cli/run.js';
import { createSqliteStore } from '../../src/store/index.js';
import { dealKeys } from '../certificate/made.js';
import { folderOfTest } from '../folder.js';

const DAY_MS = 86_400_000;

interface Outcome {
  readonly status: number;
  readonly text: string;
}

async function doctor(folder: string, args: readonly string[] = [], now = Date.now()): Promise<Outcome> {
  let text = '';
  const out = new PassThrough().on('data', (chunk) => {
    text += String(chunk);
  });
  const anywhere = [
    '--listen',
    '127.0.0.1:0',
    '--psu-listen',
    '127.0.0.1:0',
    '--admin-listen',
    '127.0.0.1:0',
  ];
  const own = ['--store', join(folder, 'sandgate.db'), '--certs', join(folder, 'certs')];
  const status = await run(['doctor', ...anywhere, ...own, ...args], {
    stdin: new PassThrough(),
    stdout: out,
    stderr: new PassThrough().resume(),
    env: {},
    clock: () => now,
    signal: new AbortController().signal,
  });
  return { status, text };
}

async function found(folder: string, args: readonly string[] = [], now?: number): Promise<Examination[]> {
  return JSON.parse((await doctor(folder, [...args, '--json'], now)).text);
}

const stateOf = (all: readonly Examination[], name: string) => all.find((one) => one.name === name)?.state;

describe('sandgate doctor', () => {
  it('finds nothing wrong where nothing is there yet', async () => {
    const { status, text } = await doctor(folderOfTest());
    expect(status).toBe(0);
    expect(text).toMatch(/store +good .*does not exist yet/);
    expect(text).not.toContain('BAD');
  });

  it('ends with 1 where the driver of the store was not built, though there is no store yet', async () => {
    const require = createRequire(import.meta.url);
    require('better-sqlite3');
    const loaded = require.cache[require.resolve('better-sqlite3')] as NodeJS.Module;
    const built = loaded.exports;
    onTestFinished(() => {
      loaded.exports = built;
    });
    loaded.exports = function notBuilt() {
      throw Object.assign(new Error('Could not locate the bindings file.'), { tries: ['a.node'] });
    };
    const { status, text } = await doctor(folderOfTest());
    expect(status).toBe(1);
    expect(text).toMatch(/store +BAD .*better-sqlite3 was not built: npm rebuild better-sqlite3/);
  });

  it('counts what a store holds, and leaves it as it is', async () => {
    const folder = folderOfTest();
    createSqliteStore({ path: join(folder, 'sandgate.db') }).close();
    expect((await found(folder)).find(({ name }) => name === 'store')?.found).toMatch(
      /0 exchanges in 0 sessions/,
    );
  });

  it('ends with 1 where the store is no store', async () => {
    const folder = folderOfTest();
    writeFileSync(join(folder, 'sandgate.db'), 'this is a letter to my aunt, and no database at all');
    const { status, text } = await doctor(folder);
    expect(status).toBe(1);
    expect(text).toMatch(/store +BAD/);
  });

  it('names the flag of a port that is taken, which may be a gateway at work', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen({ host: '127.0.0.1', port: 0 }, resolve));
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const all = await found(folderOfTest(), ['--psu-listen', address]);
    server.close();
    expect(stateOf(all, 'port --psu-listen')).toBe('poor');
    expect(stateOf(all, 'port --listen')).toBe('good');
  });

  it('tells certificates that end soon from those that have ended', async () => {
    const folder = folderOfTest();
    const now = Date.now();
    await ensureCertificates(join(folder, 'certs'), now, undefined, undefined, dealKeys);
    expect(stateOf(await found(folder, [], now), 'certificates')).toBe('good');
    const server = 'certificate server';
    const ends = async (days: number) => stateOf(await found(folder, [], now + days * DAY_MS), server);
    const states = await Promise.all([300, 350, 400].map(ends));
    expect(new Set(states).size).toBeGreaterThan(1);
    expect(states.at(-1)).toBe('bad');
  });

  it('does not believe a clock that stands before this program', async () => {
    const { status, text } = await doctor(folderOfTest(), [], Date.UTC(2020, 0, 1));
    expect(status).toBe(1);
    expect(text).toContain('Set the clock');
  });
});
