/**
 * Load, in a process of its own: keep-alive TLS connections, each with one call on its way. Writes what it saw as one
 * JSON line. Arguments: port, folder of certificates, seconds, connections, request in base64, file for the ids seen.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';

const [port, certs = '', seconds, connections, request64 = '', idsFile = ''] = process.argv.slice(2);
const request = Buffer.from(request64, 'base64');
const identity = {
  ca: readFileSync(join(certs, 'ca.pem')),
  cert: readFileSync(join(certs, 'tpp.pem')),
  key: readFileSync(join(certs, 'tpp.key')),
};
/** Kept in memory: a file that is written to while it runs would be measured too. */
const ids: string[] | null = idsFile === '' ? null : [];

const LENGTHS = ['\r\nContent-Length: ', '\r\ncontent-length: '];
const ID = '\r\nSandgate-Exchange: ';
const ID_LENGTH = 11;

const latencies: number[] = [];
const statuses: Record<string, number> = {};
let calls = 0;
let measuring = false;
let stopped = false;

/** Reads answers with Content-Length off one connection. */
function client(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', servername: 'localhost', port: Number(port), ...identity });
    let pending = '';
    let sent = 0;
    const send = () => {
      sent = performance.now();
      socket.write(request);
    };
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('secureConnect', send);
    socket.on('error', reject);
    socket.on('close', () => resolve());
    socket.on('data', (chunk: string) => {
      pending += chunk;
      const end = pending.indexOf('\r\n\r\n');
      if (end < 0) return;
      if (pending.length < end + 4 + lengthOf(pending.slice(0, end))) return;
      const answer = pending;
      pending = '';
      calls++;
      if (measuring) {
        latencies.push(performance.now() - sent);
        const status = answer.slice(9, 12);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
      if (ids !== null) ids.push(idOf(answer));
      if (stopped) socket.end();
      else send();
    });
  });
}

/** What the load itself computes is taken from the servers, so that it does as little as it can. */
function lengthOf(head: string): number {
  for (const name of LENGTHS) {
    const at = head.indexOf(name);
    if (at >= 0) return Number.parseInt(head.slice(at + name.length), 10);
  }
  return 0;
}

function idOf(answer: string): string {
  const at = answer.indexOf(ID) + ID.length;
  return answer.slice(at, at + ID_LENGTH);
}

const clients = Array.from({ length: Number(connections) }, client);
// Warm: what is compiled late must not be measured.
await wait(Math.min(1_500, Number(seconds) * 300));
measuring = true;
const begun = performance.now();
await wait(Number(seconds) * 1_000);
measuring = false;
const elapsed = performance.now() - begun;
stopped = true;
await Promise.all(clients);
if (ids !== null) writeFileSync(idsFile, ids.join('\n'));

latencies.sort((a, b) => a - b);
const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
const perSecond = (latencies.length / elapsed) * 1_000;
process.stdout.write(`${JSON.stringify({ perSecond, p50: at(0.5), p99: at(0.99), calls, statuses })}\n`);

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
