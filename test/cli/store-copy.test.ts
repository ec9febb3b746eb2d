/** `sandgate store copy` as it is typed: what it says, and what is left of it when it is killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { MAIN } from '../e2e/child.js';
import { query } from '../postgres/schemas.js';
import { aFile, contentsOf, happen, inSchema, SOME } from '../store/copied.js';
import { sandgate } from './run-command.js';

const MANY = Array.from({ length: 40 }, () => SOME.slice(0, 12)).flat();

it('says what it copied; a terminal sees how far it is, a pipe does not', async () => {
  const [from, to, other] = [aFile(), inSchema(), aFile()];
  await happen(from, MANY);
  const keyFile = ['--to-key-file', to.keyFile];
  const said = await sandgate(['store', 'copy', from.address, to.address, ...keyFile]);
  expect(said).toEqual({
    status: 0,
    out: `Copied ${from.address} to ${to.address.replace(/:[^:@]*@/, '@')}: 1 session, 480 exchanges, 0 facts; every chain is as it was recorded.\n`,
    err: '',
  });
  expect(await contentsOf(to)).toEqual(await contentsOf(from));
  let now = 0;
  const clock = () => (now += 1_000);
  const back = ['store', 'copy', to.address, other.address, '--from-key-file', to.keyFile];
  const seen = await sandgate([...back, '--json'], { terminal: true, clock });
  expect(JSON.parse(seen.out)).toMatchObject({ to: other.address, exchanges: 480, broken: [] });
  expect(seen.err).toMatch(/^\rRows copied and verified: [\d,]+ of 1,920 \(\d+%\)/);
  expect(await contentsOf(other)).toEqual(await contentsOf(from));
});

it('reports what it cannot do, each with its sentence', async () => {
  const [from, to] = [aFile(), aFile()];
  await happen(from, SOME);
  const copy = (...args: string[]) => sandgate(['store', 'copy', ...args]);
  expect(await copy(from.address, from.address)).toMatchObject({
    status: 2,
    err: expect.stringContaining('itself'),
  });
  expect(await copy(`${to.address}x`, to.address)).toMatchObject({
    status: 2,
    err: expect.stringContaining('There is no store at'),
  });
  const db = new Sqlite(from.address);
  db.exec("DELETE FROM notes WHERE kind = 'mark'");
  db.close();
  const refused = await copy(from.address, to.address);
  expect([refused.status, refused.out]).toEqual([1, '']);
  expect(refused.err).toMatch(/The session june of the store .* 1 entry is gone before .*--broken/);
  const taken = await copy(from.address, to.address, '--broken');
  expect([taken.status, taken.out]).toEqual([1, expect.stringContaining('broken as in')]);
  expect(taken.err).toMatch(/did not end; it is begun anew\.\nWarning: session june: 1 entry is gone/);
});

it('killed in the middle, leaves no store but one that is begun anew', async () => {
  const [from, to] = [inSchema(), aFile()];
  await happen(from, SOME);
  const args = ['store', 'copy', from.address, to.address, '--from-key-file', from.keyFile];
  const schema = /schema=(\w+)/.exec(from.address)?.[1];
  const letGo = await query.open(`BEGIN; LOCK TABLE ${schema}.parts`);
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const isCopying = () => {
    try {
      const db = new Sqlite(to.address, { readonly: true });
      const found = db.prepare('SELECT copying FROM identity').pluck().get();
      db.close();
      return found;
    } catch {
      return null;
    }
  };
  await expect.poll(isCopying).toBe(1);
  child.kill('SIGKILL');
  await ended;
  await letGo();
  const looked = await sandgate(['sessions', 'ls', '--store', to.address]);
  expect(looked).toMatchObject({
    status: 2,
    err: expect.stringMatching(/The copy into the store .* is not complete/),
  });
  expect(await sandgate(args)).toMatchObject({ status: 0, err: expect.stringContaining('begun anew') });
  expect(await contentsOf(to)).toEqual(await contentsOf(from));
});

it('with a full disk, leaves no store but one that is begun anew', async () => {
  const [from, to] = [aFile(), aFile()];
  await happen(from, MANY);
  const words = [process.execPath, MAIN, 'store', 'copy', from.address, to.address];
  // The largest file that it may write, in blocks of 512 bytes.
  const child = spawn('sh', ['-c', 'ulimit -f 500; exec "$@"', 'sh', ...words]);
  const [said] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(child.exitCode, said).toBe(3);
  expect(said).toContain(`The store ${to.address} cannot be used: the disk `);
  const looked = await sandgate(['sessions', 'ls', '--store', to.address]);
  expect(looked).toMatchObject({
    status: 2,
    err: expect.stringMatching(/The copy into the store .* is not complete/),
  });
  expect(await sandgate(['store', 'copy', from.address, to.address])).toMatchObject({ status: 0 });
  expect(await contentsOf(to)).toEqual(await contentsOf(from));
});
