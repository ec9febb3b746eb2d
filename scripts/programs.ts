/** Programs of others that scripts try things with, where the machine has them. */
import { accessSync, constants } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';

/** Where servers stand is not on the PATH of everybody. */
export const WITH_SYSTEM = { ...process.env, PATH: `${process.env.PATH ?? ''}${delimiter}/usr/sbin` };

export function isOnPath(program: string): boolean {
  return WITH_SYSTEM.PATH.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
