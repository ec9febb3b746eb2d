/** Applications that behave badly are ended, with all that they started, and what they wrote is kept within bounds. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openApplication } from '../../src/rehearsal/application.js';
import { startCommand } from '../../src/rehearsal/command.js';
import type { Plan } from '../../src/rehearsal/plan.js';
import { createAsk } from '../../src/rehearsal/request.js';
import { folderOfFile } from '../folder.js';
import { freePort } from '../free-port.js';

const folder = folderOfFile();
const env = { PATH: process.env.PATH ?? '' };
const ask = createAsk('');
const never = new AbortController().signal;

/** A program of Node in the folder; gives the command that runs it. */
function program(name: string, text: string): string {
  writeFileSync(join(folder, `${name}.mjs`), text);
  return `"${process.execPath}" ${name}.mjs`;
}

function planFor(command: string, port: number, reset?: Plan['app']['reset']): Plan {
  const link = { begin: '', drive: 'follow' as const, done: { url: '/' } };
  const app = { start: { command, ready: `http://127.0.0.1:${port}/` }, link, ...(reset && { reset }) };
  return { app, file: 'plan.json', folder };
}

const serving = (port: number, more = '') =>
  `import { createServer } from 'node:http';\n${more}\ncreateServer((q, a) => a.end(String(process.pid))).listen(${port}, '127.0.0.1');`;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // One that ended and that nobody waited for is no process any more.
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

const textAt = async (port: number): Promise<string> => {
  const answer = await ask({ method: 'GET', url: new URL(`http://127.0.0.1:${port}/`) });
  return typeof answer === 'string' ? '' : answer.text;
};

describe('an application', () => {
  it('is ready when it answers, and is gone when it is stopped', async () => {
    const port = await freePort();
    const app = await openApplication(planFor(program('good', serving(port)), port), env, ask, never);
    const pid = Number(await textAt(port));
    expect(isAlive(pid)).toBe(true);
    await app.stop();
    expect(isAlive(pid)).toBe(false);
    expect(app.ended()).toBe(null);
  });

  it('that ends at its start is told with what it wrote', async () => {
    const port = await freePort();
    const opening = openApplication(
      planFor(program('ends', 'console.error("No database."); process.exit(4);'), port),
      env,
      ask,
      never,
    );
    await expect(opening).rejects.toThrow(/ended with status 4\. It wrote:\nNo database\./);
  });

  it('that never answers is ended and told', async () => {
    const port = await freePort();
    const silent = program(
      'silent',
      'import { writeFileSync } from "node:fs"; writeFileSync("silent.pid", String(process.pid)); setInterval(() => {}, 1000);',
    );
    await expect(openApplication(planFor(silent, port), env, ask, never, 3_000)).rejects.toThrow(
      'nothing answered at',
    );
    expect(isAlive(Number(readFileSync(join(folder, 'silent.pid'), 'utf8')))).toBe(false);
  });

  it('is not started where something answers already', async () => {
    const port = await freePort();
    const other = createServer((_, answer) => answer.end('other')).listen(port, '127.0.0.1');
    onTestFinished(() => void other.close());
    const opening = openApplication(planFor(program('second', serving(port)), port), env, ask, never);
    await expect(opening).rejects.toThrow('Another program answers at');
  });

  it('that ignores signals and leaves children is ended with all of them', async () => {
    const port = await freePort();
    const child = program(
      'child',
      'process.on("SIGTERM", () => {}); process.on("SIGINT", () => {}); setInterval(() => {}, 1000);',
    );
    const stubborn = serving(
      port,
      `import { spawn } from 'node:child_process';\nimport { writeFileSync } from 'node:fs';\nprocess.on('SIGTERM', () => {});\nconst child = spawn(${JSON.stringify(child)}, { shell: true });\nwriteFileSync('child.pid', String(child.pid));`,
    );
    const running = startCommand(program('stubborn', stubborn), { folder, env }, 200);
    await expect.poll(() => textAt(port)).not.toBe('');
    const pids = [Number(await textAt(port)), Number(readFileSync(join(folder, 'child.pid'), 'utf8'))];
    expect(pids.map(isAlive)).toEqual([true, true]);
    await running.stop();
    await expect.poll(() => pids.map(isAlive)).toEqual([false, false]);
  });

  it('that writes endlessly runs on, and the end of what it wrote is kept', async () => {
    const port = await freePort();
    const loud = serving(
      port,
      'const write = () => { process.stdout.write("x".repeat(65536) + "the end\\n", write); };\nsetTimeout(write, 0);',
    );
    const app = await openApplication(planFor(program('loud', loud), port), env, ask, never);
    onTestFinished(app.stop);
    expect(await textAt(port)).not.toBe('');
    await expect.poll(() => app.output()).toMatch(/the end$/);
    expect(app.output().length).toBeLessThanOrEqual(2_000);
  });

  it('that has ended is started again by a reset', async () => {
    const port = await freePort();
    const app = await openApplication(planFor(program('mortal', serving(port)), port), env, ask, never);
    onTestFinished(app.stop);
    const first = Number(await textAt(port));
    process.kill(first, 'SIGKILL');
    await expect.poll(() => app.ended()).not.toBe(null);
    expect(await app.reset(never)).toBe(null);
    expect(Number(await textAt(port))).not.toBe(first);
  });

  it('is brought to its beginning by the request of the plan', async () => {
    const port = await freePort();
    const counting = `import { createServer } from 'node:http';\ncreateServer((q, a) => { a.statusCode = q.method === 'POST' ? 500 : 200; a.end('up'); }).listen(${port}, '127.0.0.1');`;
    const reset = { request: `POST http://127.0.0.1:${port}/reset` };
    const app = await openApplication(planFor(program('counting', counting), port, reset), env, ask, never);
    onTestFinished(app.stop);
    expect(await app.reset(never)).toBe('reset was answered 500');
  });

  it('is not waited for once the user asks to stop', async () => {
    const port = await freePort();
    const stop = new AbortController();
    const opening = openApplication(
      planFor(program('waiting', 'setInterval(() => {}, 1000);'), port),
      env,
      ask,
      stop.signal,
    );
    stop.abort();
    await expect(opening).rejects.toThrow('Interrupted: the application was starting');
  });
});
