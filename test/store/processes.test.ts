/** Stores and processes: killed while writing, writing side by side, reading meanwhile, out of disk space. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { timeOfId } from '../../src/exchange/index.js';
import type { LocalStore } from '../../src/store/index.js';
import { bundled } from '../bundle.js';
import { aPath, append, aStore, idsIn, recordSource } from './stores.js';

const CHILD = await bundled('test/store/child.ts');

interface Recording {
  readonly process: ChildProcess;
  /** Whole lines that it has said so far: an id once it may rely on it, `!` before a fault. */
  readonly said: readonly string[];
  readonly hasSaid: (lines: number) => Promise<void>;
  readonly ended: Promise<unknown>;
}

function startChild(path: string, session = 'test', seed = 0, before = ''): Recording {
  const command = `${before} exec "${process.execPath}" "${CHILD}" "${path}" "${session}" ${seed}`;
  const child = spawn('/bin/sh', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said: string[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => said.push(line));
  const hasSaid = async (wanted: number): Promise<void> => {
    while (said.length < wanted) await once(lines, 'line');
  };
  return { process: child, said, hasSaid, ended: once(lines, 'close') };
}

async function kill(child: Recording): Promise<void> {
  child.process.kill('SIGKILL');
  await child.ended;
}

function expectAllKept(store: LocalStore, said: readonly string[], session = 'test'): void {
  const kept = new Set(idsIn(store, session));
  expect(said.filter((id) => !kept.has(id))).toEqual([]);
  expect([...store.chains.verify(session)]).toEqual([]);
}

describe('kill -9', () => {
  it('in the midst of recording loses nothing that was acknowledged, again and again', async () => {
    const path = aPath();
    const said: string[] = [];
    for (const lines of [100, 1_000, 3_000]) {
      const child = startChild(path);
      await child.hasSaid(lines);
      await kill(child);
      // The last line may have been cut by the kill.
      said.push(...child.said.filter((id) => id.length === 11));
    }
    expect(said.length).toBeGreaterThan(4_000);
    expectAllKept(aStore({ path }), said);
  });

  it('leaves no clear secret behind, neither in the file nor in its log', async () => {
    const path = aPath();
    const child = startChild(path);
    await child.hasSaid(500);
    await kill(child);
    const files = [path, `${path}-wal`].filter(existsSync).map((file) => readFileSync(file));
    expect(files).toHaveLength(2);
    for (const bytes of files) expect(bytes.includes('secret-token-')).toBe(false);
  });
});

describe('several processes', () => {
  it('write one session and others side by side, and the chains stay sound', async () => {
    const path = aPath();
    const children = [
      startChild(path, 'test', 0),
      startChild(path, 'test', 900),
      startChild(path, 'other', 1_800),
    ];
    await Promise.all(children.map((child) => child.hasSaid(400)));
    await Promise.all(children.map(kill));
    const store = aStore({ path });
    const [first, second, third] = children.map(({ said }) => said.filter((id) => id.length === 11));
    expectAllKept(store, [...(first ?? []), ...(second ?? [])]);
    expectAllKept(store, third ?? [], 'other');
  });

  it('read while another one writes, and see what it has acknowledged', async () => {
    const path = aPath();
    const child = startChild(path);
    await child.hasSaid(50);
    const reading = aStore({ path, readonly: true });
    for (let round = 1; round <= 5; round++) {
      const known = [...child.said];
      const kept = new Set(idsIn(reading));
      expect(known.filter((id) => !kept.has(id))).toEqual([]);
      expect(reading.sessions()[0]?.exchanges).toBeGreaterThanOrEqual(known.length);
      await child.hasSaid(known.length + 200);
    }
    expect([...reading.chains.verify('test')]).toEqual([]);
    await kill(child);
  });

  it('may remove a session that another one is writing', async () => {
    const path = aPath();
    const child = startChild(path);
    await child.hasSaid(300);
    const store = aStore({ path });
    const before = child.said.at(-1) ?? '';
    const removed = [...store.remove('test')].reduce((sum, step) => sum + step, 0);
    expect(removed).toBeGreaterThanOrEqual(300);
    // What it had recorded before the removal may still wait to be read here: the ids tell when they were given.
    const at = Date.now();
    const since = () => child.said.filter((id) => (timeOfId(id) ?? 0) > at);
    while (since().length < 300) await child.hasSaid(child.said.length + 50);
    await kill(child);
    expect(store.find(before)).toBeNull();
    expectAllKept(store, since());
  });
});

describe('a full disk', () => {
  it('is told in plain words, and what was acknowledged before it is kept', async () => {
    const path = aPath();
    append(aStore({ path }), recordSource()());
    // The largest file that the child may write, in blocks of 512 bytes.
    const child = startChild(path, 'test', 0, 'ulimit -f 4000;');
    await child.ended;
    expect(child.said.at(-1)).toMatch(/^!SandgateError: The store .*sandgate\.db cannot be used: the disk /);
    expectAllKept(aStore({ path }), child.said.slice(0, -1));
  });
});

describe('a process that has a store open', () => {
  it('ends by itself, although nobody closed it', async () => {
    const path = aPath();
    const child = spawn(process.execPath, [await bundled('test/store/leaving-child.ts'), path], {
      stdio: 'inherit',
    });
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(aStore({ path }).sessions()).toHaveLength(1);
  });
});
