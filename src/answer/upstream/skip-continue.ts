/** Removes "100 Continue" from what a bank sends: banks may send it unasked, and undici treats it as an error. */
import type { Socket } from 'node:net';

const STATUS = Buffer.from('HTTP/1.1 100');
const END = '\r\n\r\n';
const LONGEST_HEAD = 8_192;

/** RFC 9110 15.2: a client takes a 1xx answer even if it asked for none. Other 1xx pass undici well. */
export function skipContinue(socket: Socket): void {
  const read = socket.read.bind(socket);
  let held: Buffer | null = null;
  /** What had been written when the last piece of an answer was read: more since then means a new request. */
  let answeredAt = -1;

  socket.read = (size?: number) => {
    for (;;) {
      const chunk: Buffer | null = read(size);
      if (chunk === null || socket.bytesWritten === answeredAt) return chunk;
      const bytes: Buffer = held === null ? chunk : Buffer.concat([held, chunk]);
      held = null;
      const rest = withoutContinue(bytes);
      if (rest !== null) {
        answeredAt = socket.bytesWritten;
        return rest;
      }
      if (bytes.length > LONGEST_HEAD) return bytes;
      held = afterContinue(bytes);
    }
  };
}

/** The bytes after any heads of status 100; null where it cannot be told yet what they begin with. */
function withoutContinue(bytes: Buffer): Buffer | null {
  const rest = afterContinue(bytes);
  if (rest.length === 0) return null;
  const compared = Math.min(rest.length, STATUS.length);
  return STATUS.compare(rest, 0, compared, 0, compared) === 0 ? null : rest;
}

function afterContinue(bytes: Buffer): Buffer {
  let rest = bytes;
  while (rest.length >= STATUS.length && STATUS.compare(rest, 0, STATUS.length) === 0) {
    const end = rest.indexOf(END);
    if (end < 0) break;
    rest = rest.subarray(end + END.length);
  }
  return rest;
}
