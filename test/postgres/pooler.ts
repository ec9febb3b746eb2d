/** A pooler in front of a server, as clients see it: it tells numbers of its own, and shares processes of the server. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** `transaction`: whoever has logged in goes on at the process of the first one; calls come one at a time. */
export async function startPooler(serverPort: number, mode: 'session' | 'transaction'): Promise<number> {
  const open = new Set<Socket>();
  let shared: { readonly server: Socket; client: Socket } | null = null;
  const server = createServer((client) => {
    const own = connect(serverPort, '127.0.0.1');
    const route = { server: own, client };
    let hasLoggedIn = false;
    let pending = Buffer.alloc(0);
    for (const socket of [client, own]) {
      open.add(socket);
      socket.on('error', () => {}).on('close', () => open.delete(socket));
    }
    client.on('close', () => shared?.server !== own && own.destroy());
    client.on('data', (bytes) => {
      if (shared === null || !hasLoggedIn) own.write(bytes);
      else {
        shared.client = client;
        shared.server.write(bytes);
      }
    });
    own.on('data', (bytes) => {
      pending = Buffer.concat([pending, bytes]);
      for (let end = 0; pending.length >= 5; pending = pending.subarray(end)) {
        end = 1 + pending.readInt32BE(1);
        if (pending.length < end) return;
        const message = pending.subarray(0, end);
        const kind = String.fromCharCode(message[0] as number);
        if (kind === 'K') message.writeInt32BE(0x7fff_0000, 5);
        if (kind === 'Z' && !hasLoggedIn) {
          hasLoggedIn = true;
          if (mode === 'transaction') shared ??= route;
        }
        route.client.write(message);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}
