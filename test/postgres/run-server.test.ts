/** The server of tests leaves nothing behind, however whoever started it ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import { runServer } from './run-server.js';

it('a server whose starter is gone stops, and its folder goes with it', async () => {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('server.mjs', import.meta.url)), '{"flags":{"fsync":"off"}}'],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: true,
    },
  );
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  const { port, folder } = JSON.parse(said.toString());
  expect(existsSync(folder)).toBe(true);
  // Signals to the group of its starter do not end it early; the end of its input, which the system sees to, does.
  child.kill('SIGINT');
  child.stdin.destroy();
  await once(child, 'exit');
  expect(existsSync(folder)).toBe(false);
  const [error] = (await once(connect(port, '127.0.0.1'), 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNREFUSED');
});

it('a server that was killed starts as soon as its port is free again', async () => {
  const server = await runServer();
  await server.kill();
  const taken = createServer();
  // The processes that it had leave the port a moment after it.
  await vi.waitFor(async () => {
    taken.listen(server.port, '127.0.0.1');
    await once(taken, 'listening');
  });
  const started = server.start();
  // What the one before it left is gone as soon as the first try has failed.
  await expect.poll(() => existsSync(join(server.folder, 'data', 'postmaster.pid'))).toBe(false);
  taken.close();
  await started;
  await server.close();
});
