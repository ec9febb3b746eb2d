/** Closes connections on which nothing moves: those between calls, those whose client reads no answer, and at last all. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** In ms. */
interface Silence {
  readonly idle: number;
  /** While an answer waits for its client to read. */
  readonly unread: number;
}

/** `isBusy`: whether a call is under way on a connection. */
export function closeSilent(
  server: Server,
  { idle, unread }: Silence,
  isBusy: (socket: Socket) => boolean,
): void {
  const step = Math.min(idle, unread);
  const waiting = new WeakMap<Socket, { readonly moved: number; readonly time: number }>();
  server.timeout = step;
  // Node tells this after a time in which nothing was read or written.
  server.on('timeout', (socket) => {
    const moved = socket.bytesRead + socket.bytesWritten;
    const before = waiting.get(socket);
    const time = step + (before !== undefined && before.moved === moved ? before.time : 0);
    const hasAnswer = socket.writableLength > 0;
    if (hasAnswer || !isBusy(socket) || time >= idle) {
      socket.destroy();
      return;
    }
    // The bank takes its time, or the client does with the rest of its request.
    waiting.set(socket, { moved, time });
    socket.setTimeout(step);
  });
}
