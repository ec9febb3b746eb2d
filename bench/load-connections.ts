/**
 * Load like that of `load.ts`, but with a connection of its own for each call. Arguments: `full` or `resumed`
 * handshakes, port, folder of certificates, seconds, how many at a time, request in base64.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { createSeen } from './seen.js';

const [kind, port, certs = '', seconds, atOnce, request64 = ''] = process.argv.slice(2);
const request = Buffer.from(request64, 'base64');
const file = (name: string) => readFileSync(join(certs, name));
const target = {
  ...{ host: '127.0.0.1', servername: 'localhost', port: Number(port) },
  ...{ ca: file('ca.pem'), cert: file('tpp.pem'), key: file('tpp.key') },
};

const seen = createSeen();
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
      seen.take(status, performance.now() - begun);
      resolve(kind === 'resumed' ? ticket : undefined);
    });
  });
}

async function client(): Promise<void> {
  let session: Buffer | undefined;
  while (!stopped) session = await callOnce(session);
}

const clients = Array.from({ length: Number(atOnce) }, client);
await seen.tell(Number(seconds), () => {
  stopped = true;
  return Promise.all(clients);
});
