/** Servers that answer whatever they are sent, in ways that Node takes for no answer, or for no end of one. */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Gives its port; closed behind the test. */
export async function startAnswering(answer: (socket: Socket, bytes: Buffer) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.once('data', (bytes) => answer(socket, bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** With 101, which Node tells of by neither an answer nor an error. */
export const startSwitching = (): Promise<number> =>
  startAnswering((socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n'),
  );

/** One interim answer after the other, and never a final one. */
export function flood(socket: Socket): void {
  const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(50)), 5);
  socket.once('close', () => clearInterval(timer));
}

/** The head of an answer, and then its body byte by byte without an end. */
export function trickle(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n');
  const timer = setInterval(() => socket.write('.'), 20);
  socket.once('close', () => clearInterval(timer));
}
