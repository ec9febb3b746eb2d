/**
 * Load, in a process of its own: keep-alive TLS connections, each with one call on its way. Writes what it saw as one
 * JSON line. Arguments: port, folder of certificates, seconds, connections, request in base64, file for the ids seen.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { createSeen } from './seen.js';

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

const seen = createSeen();
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
      seen.take(answer.slice(9, 12), performance.now() - sent);
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
await seen.tell(Number(seconds), () => {
  stopped = true;
  return Promise.all(clients);
});
if (ids !== null) writeFileSync(idsFile, ids.join('\n'));
