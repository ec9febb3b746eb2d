import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/app/config/index.js';
import { withAdminPort, workerEnvironment } from '../../src/cli/worker.js';

/** As the program that starts the workers was started. */
const SOMEBODYS = Object.fromEntries(Object.keys(workerEnvironment(0, null)).map((name) => [name, '39155']));

/** Where a worker's admin listener will be. */
async function adminPort(listen: string, slot: number, known: number | null): Promise<number> {
  const { config } = loadConfig({ flags: { adminListen: `127.0.0.1:${listen}` }, env: {} });
  const admin = known === null ? null : `http://127.0.0.1:${known}`;
  const env = { ...SOMEBODYS, ...workerEnvironment(slot, admin) };
  return (await withAdminPort(config, slot, env)).adminListen.port;
}

/** A port of this machine, and what frees it. */
async function takenPort(): Promise<{ port: number; free: () => Promise<void> }> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const free = async () => {
    if (server.listening) await once(server.close(), 'close');
  };
  onTestFinished(free);
  return { port: (server.address() as AddressInfo).port, free };
}

describe('the admin listener of a worker', () => {
  it('is where it was configured, whatever else the environment holds', async () => {
    const { port, free } = await takenPort();
    await free();
    expect(await adminPort('39144', 0, null)).toBe(39144);
    expect(await adminPort('39144', 0, port)).toBe(39144);
    expect(await adminPort('0', 0, null)).toBe(0);
    expect(await adminPort('0', 1, port)).toBe(0);
  });

  it('is where operators know it where any port would do, unless another program listens there meanwhile', async () => {
    const { port, free } = await takenPort();
    expect(await adminPort('0', 0, port)).toBe(0);
    await free();
    expect(await adminPort('0', 0, port)).toBe(port);
  });
});
