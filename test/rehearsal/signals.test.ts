/** Ctrl-C in the built program: the application ends with it, also where it does not want to. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { testCertificates } from '../e2e/harness.js';
import { folderOfTest } from '../folder.js';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

/** A rehearsal of an application that never gets ready and ignores signals; gives its process and that of the application. */
async function stuck() {
  const folder = folderOfTest();
  const pid = join(folder, 'pid');
  writeFileSync(
    join(folder, 'app.mjs'),
    `import { writeFileSync } from 'node:fs';\nprocess.on('SIGTERM', () => {});\nprocess.on('SIGINT', () => {});\nwriteFileSync('pid', String(process.pid));\nsetInterval(() => {}, 1000);`,
  );
  const link = { begin: 'GET http://127.0.0.1:1/', drive: 'follow', done: { url: '/' } };
  const start = { command: `"${process.execPath}" app.mjs`, ready: 'http://127.0.0.1:1/' };
  const plan = { app: { start, link }, listen: '127.0.0.1:0', psuListen: '127.0.0.1:0' };
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan));
  const child = spawn(process.execPath, [
    MAIN,
    'rehearse',
    join(folder, 'plan.json'),
    '--certs',
    await testCertificates(),
  ]);
  const ended = new Promise<NodeJS.Signals | number | null>((resolve) => {
    child.on('exit', (code, signal) => resolve(signal ?? code));
  });
  await expect.poll(() => existsSync(pid) && readFileSync(pid, 'utf8')).toBeTruthy();
  return { child, ended, app: Number(readFileSync(pid, 'utf8')) };
}

describe('Ctrl-C', () => {
  it('ends the application and the command', async () => {
    const { child, ended, app } = await stuck();
    child.kill('SIGINT');
    expect(await ended).toBe(3);
    expect(isAlive(app)).toBe(false);
  });

  it('a second time does not wait for the application, and leaves nothing of it', async () => {
    const { child, ended, app } = await stuck();
    child.kill('SIGINT');
    child.kill('SIGINT');
    await ended;
    await expect.poll(() => isAlive(app)).toBe(false);
  });
});
