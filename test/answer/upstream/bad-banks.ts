/** Banks that fail, each in its own way, and what the gateway makes of it. */
import type { TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import type { UpstreamLimits } from '../../../src/answer/upstream/index.js';
import type { Fault } from '../../../src/exchange/index.js';
import { reset } from './bank.js';

export const SHORT: Partial<UpstreamLimits> = {
  connectMs: 150,
  firstByteMs: 150,
  idleMs: 150,
  wholeMs: 5_000,
};
/** For what ends by its size: on a busy machine that takes longer. */
const PATIENT: Partial<UpstreamLimits> = {
  connectMs: 60_000,
  firstByteMs: 60_000,
  idleMs: 60_000,
  wholeMs: 60_000,
  // What came whole leaves a connection that could be used again, and is waited for.
  keepAliveMs: 200,
};
export const head = (...lines: string[]) =>
  `HTTP/1.1 200 OK\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`;

export type BadBank = readonly [
  name: string,
  script: (socket: TLSSocket) => void,
  status: number,
  kind: Fault['kind'],
  words: RegExp,
  limits?: Partial<UpstreamLimits>,
];

export const BAD_BANKS: readonly BadBank[] = [
  [
    'closes without a word',
    (s) => s.end(),
    502,
    'reset',
    /closed the connection without an answer; it may not accept/,
  ],
  ['resets without a word', (s) => reset(s), 502, 'reset', /closed the connection without an answer/],
  [
    'breaks off in the head',
    (s) => s.end('HTTP/1.1 200 OK\r\nContent-Le'),
    502,
    'reset',
    /in the head of its answer/,
  ],
  [
    'breaks off in a body with length',
    (s) => s.end(`${head('Content-Length: 10')}abc`),
    502,
    'reset',
    /in the middle/,
  ],
  [
    'resets in a body',
    (s) => s.write(`${head('Content-Length: 10')}abc`, () => reset(s)),
    502,
    'reset',
    /in the middle/,
  ],
  [
    'breaks off between chunks',
    (s) => s.end(`${head('Transfer-Encoding: chunked')}3\r\nabc\r\n`),
    502,
    'reset',
    /in the middle/,
  ],
  [
    'says a length and closes early',
    (s) => s.end(`${head('Content-Length: 10', 'Connection: close')}abc`),
    502,
    'malformed',
    /as long as its Content-Length/,
  ],
  ['speaks no HTTP', (s) => s.end('220 mail.bank.example ESMTP\r\n'), 502, 'malformed', /not an HTTP answer/],
  [
    'spells a header wrong',
    (s) => s.write('HTTP/1.1 200 OK\r\nBad Header: 1\r\n\r\n'),
    502,
    'malformed',
    /not an HTTP answer/,
  ],
  [
    'has two lengths',
    (s) => s.write(`${head('Content-Length: 1', 'Content-Length: 2')}ab`),
    502,
    'malformed',
    /Content-Length/,
  ],
  [
    'has a control character in a field behind its length',
    (s) => s.write(`${head('Content-Length: 2', 'X-Odd: a\u0001b')}{}`),
    502,
    'malformed',
    /or its head is malformed/,
  ],
  [
    'has a length that is no number',
    (s) => s.write(`${head('Content-Length: ten')}`),
    502,
    'malformed',
    /not an HTTP answer/,
  ],
  [
    'has a chunk size that is none',
    (s) => s.write(`${head('Transfer-Encoding: chunked')}zz\r\n`),
    502,
    'malformed',
    /HTTP|Content-Length/,
  ],
  [
    'switches protocols unasked',
    (s) => s.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    502,
    'malformed',
    /not an HTTP answer/,
  ],
  [
    'answers with a status below 100',
    (s) => s.write('HTTP/1.1 099 Odd\r\nContent-Length: 2\r\n\r\n{}'),
    502,
    'malformed',
    /not an HTTP answer: its status is below 100/,
  ],
  ['sends no byte', () => {}, 504, 'timeout', /sent no answer within 0.15 s/],
  [
    'stops in the head',
    (s) => s.write('HTTP/1.1 200 OK\r\n'),
    504,
    'timeout',
    /sent no answer within 0.15 s/,
  ],
  [
    'stops in the body',
    (s) => s.write(`${head('Content-Length: 10')}abc`),
    504,
    'timeout',
    /then sent nothing for 0.15 s/,
  ],
  ['trickles for ever', trickle, 504, 'timeout', /did not finish its answer within 0.4 s/, { wholeMs: 400 }],
  ['sends headers without end', endlessHeaders, 502, 'too-large', /larger than 65536 bytes/, PATIENT],
  ['sends 1xx without end', endlessInformation, 504, 'timeout', /within 0.4 s/, { wholeMs: 400 }],
  ['sends a bomb', bomb, 502, 'too-large', /grows beyond 16777216 bytes/, PATIENT],
];

function trickle(socket: TLSSocket): void {
  socket.write(head('Transfer-Encoding: chunked'));
  every(socket, 20, () => '1\r\na\r\n');
}

function endlessHeaders(socket: TLSSocket): void {
  socket.write('HTTP/1.1 200 OK\r\n');
  every(socket, 0, () => `X-Endless: ${'a'.repeat(4_000)}\r\n`);
}

function endlessInformation(socket: TLSSocket): void {
  every(socket, 10, () => 'HTTP/1.1 103 Early Hints\r\n\r\n');
}

function bomb(socket: TLSSocket): void {
  const coded = gzipSync(Buffer.alloc(64 * 1_048_576));
  socket.write(
    head('Content-Type: application/json', 'Content-Encoding: gzip', `Content-Length: ${coded.length}`),
  );
  socket.write(coded);
}

function every(socket: TLSSocket, ms: number, text: () => string): void {
  const timer = setInterval(() => socket.write(text()), ms);
  socket.once('close', () => clearInterval(timer));
}
