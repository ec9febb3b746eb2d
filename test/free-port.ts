/** A port of localhost that nobody has, for a program that is told its port: not one that the system gives to others meanwhile. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Systems give ports from 32,768 on. */
const [FROM, TO] = [10_000, 30_000];

export async function freePort(): Promise<number> {
  const port = randomInt(FROM, TO);
  const server = createServer().listen(port, 'localhost');
  try {
    await once(server, 'listening');
  } catch {
    return freePort();
  }
  server.close();
  await once(server, 'close');
  return port;
}
