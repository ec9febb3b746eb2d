/**
 * Load like that of `load.ts`, but with a connection of its own for each call. Arguments: `full` or `resumed`
 * handshakes, port, folder of certificates, seconds, how many at a time, request in base64. A client's handshake takes
 * longer than a server's, so that one thread would be the limit: there are as many as the machine runs at once.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { createSeen } from './seen.js';

const [kind, port, certs = '', seconds, atOnce, request64 = ''] = process.argv.slice(2);
const request = Buffer.from(request64, 'base64');
const file = (name: string) => readFileSync(join(certs, name));
const target = {
  ...{ host: '127.0.0.1', servername: 'localhost', port: Number(port) },
  ...{ ca: file('ca.pem'), cert: file('tpp.pem'), key: file('tpp.key') },
};

const THREADS = availableParallelism();
let stopped = false;

/** Gives the session to resume the next connection with. */
function callOnce(session: Buffer | undefined): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const socket = connect({ ...target, ...(session === undefined ? {} : { session }) });
    let ticket = session;
    let status = '';
    socket.once('secureConnect', () => {
      if (socket.isSessionReused() !== (session !== undefined)) reject(new Error(`not ${kind}`));
      socket.write(request);
    });
    socket.on('session', (given: Buffer) => {
      ticket = given;
    });
    socket.on('data', (chunk: Buffer) => {
      if (status === '') status = chunk.toString('latin1', 9, 12);
      // Small answers come in one piece, and the ticket before them.
      socket.destroy();
    });
    socket.once('error', reject);
    socket.once('close', () => {
      parentPort?.postMessage([status, performance.now() - begun]);
      resolve(kind === 'resumed' ? ticket : undefined);
    });
  });
}

async function client(): Promise<void> {
  let session: Buffer | undefined;
  while (!stopped) session = await callOnce(session);
}

async function begin(): Promise<void> {
  parentPort?.once('message', () => {
    stopped = true;
  });
  await Promise.all(Array.from({ length: Math.ceil(Number(atOnce) / THREADS) }, client));
}

async function tellOfAll(): Promise<void> {
  const seen = createSeen();
  const threads = Array.from(
    { length: THREADS },
    () => new Worker(new URL(import.meta.url), { argv: process.argv.slice(2) }),
  );
  for (const thread of threads)
    thread.on('message', ([status, ms]: [string, number]) => seen.take(status, ms));
  await seen.tell(Number(seconds), () => {
    for (const thread of threads) thread.postMessage('stop');
    return Promise.all(threads.map((thread) => once(thread, 'exit')));
  });
}

await (isMainThread ? tellOfAll() : begin());
