/**
 * Load like that of `load.ts`, but with a connection of its own for each call. Arguments: `full` or `resumed`
 * handshakes, port, folder of certificates, seconds, how many at a time, request in base64.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';

const [kind, port, certs = '', seconds, atOnce, request64 = ''] = process.argv.slice(2);
const request = Buffer.from(request64, 'base64');
const file = (name: string) => readFileSync(join(certs, name));
const target = {
  ...{ host: '127.0.0.1', servername: 'localhost', port: Number(port) },
  ...{ ca: file('ca.pem'), cert: file('tpp.pem'), key: file('tpp.key') },
};

const latencies: number[] = [];
const statuses: Record<string, number> = {};
let calls = 0;
let measuring = false;
let stopped = false;

/** The status of the answer, and the session to resume the next connection with. */
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
      calls++;
      if (measuring) {
        latencies.push(performance.now() - begun);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
      resolve(kind === 'resumed' ? ticket : undefined);
    });
  });
}

async function client(): Promise<void> {
  let session: Buffer | undefined;
  while (!stopped) session = await callOnce(session);
}

const clients = Array.from({ length: Number(atOnce) }, client);
await wait(Math.min(1_500, Number(seconds) * 300));
measuring = true;
const begun = performance.now();
await wait(Number(seconds) * 1_000);
measuring = false;
const elapsed = performance.now() - begun;
stopped = true;
await Promise.all(clients);

latencies.sort((a, b) => a - b);
const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
const perSecond = (latencies.length / elapsed) * 1_000;
process.stdout.write(`${JSON.stringify({ perSecond, p50: at(0.5), p99: at(0.99), calls, statuses })}\n`);

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
