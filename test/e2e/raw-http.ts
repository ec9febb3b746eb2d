/** Requests written byte by byte on a TLS connection, where an HTTP client would tidy them up. */
import type { Socket } from 'node:net';
import type { TestGateway } from './harness.js';
import { openTls, type Side } from './raw.js';

export interface RawReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are looked into by path; a wrong path fails the assertion.
  readonly json: any;
}

export interface RawConnection {
  /** The bytes of a whole request; resolves with its answer, and the connection stays open. */
  readonly send: (...pieces: readonly (string | Uint8Array)[]) => Promise<RawReply>;
  readonly close: () => void;
}

/** A connection on which requests follow each other; each piece leaves as a TLS record of its own. */
export async function openRaw(
  gateway: TestGateway,
  { side = 'api', cert = 'tpp' }: { side?: Side; cert?: string } = {},
): Promise<RawConnection> {
  const own =
    side === 'psu'
      ? { cert: undefined, key: undefined }
      : { cert: gateway.file(`${cert}.pem`), key: gateway.file(`${cert}.key`) };
  const socket = await openTls(gateway, { side, ...(own as { cert: string; key: string }) });
  socket.setNoDelay(true);
  return {
    send: async (...pieces) => {
      const reply = readReply(socket);
      for (const piece of pieces) await new Promise((resolve) => socket.write(piece, resolve));
      return reply;
    },
    close: () => socket.destroy(),
  };
}

/** One answer with Content-Length, or without body. */
function readReply(socket: Socket): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const take = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      const reply = parse(bytes);
      if (reply === undefined) return;
      socket.off('data', take);
      resolve(reply);
    };
    socket.on('data', take);
    socket.once('error', reject);
    socket.once('close', () => reject(new Error(`closed after: ${bytes.toString()}`)));
  });
}

function parse(bytes: Buffer): RawReply | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [start = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const body = bytes.subarray(end + 4);
  if (body.length < Number(headers['content-length'] ?? 0)) return undefined;
  const text = body.toString();
  return {
    status: Number(start.split(' ')[1]),
    headers,
    text,
    json: /json/.test(headers['content-type'] ?? '') && text !== '' ? JSON.parse(text) : undefined,
  };
}
