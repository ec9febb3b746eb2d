/** A recorded request as code that sends it again: a curl line, a script with fetch, a test for vitest. */
import { type Call, calledAt, type Exchange, TEST_HEADER } from '../exchange/index.js';

/** A secret, which no recording holds, by the name of the variable that it is to be read from: `ACCESS_TOKEN`. */
type Piece = string | { readonly secret: string };

type Resent = ReturnType<typeof resent>;

const LEFT_OUT = new Set([
  'host',
  'content-length',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'accept-encoding',
  // A recorded body is decoded.
  'content-encoding',
  'expect',
  TEST_HEADER,
]);
/** RFC 9110 5.1; curl would take a name that begins with @ for a file to read. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const MOST_HEADERS = 60;
const LONGEST_BODY = 8_000;
/** A fingerprint stands where a secret stood; what is before it tells which secret. */
const SECRET = /fp_[A-Za-z0-9_-]{22}(?![A-Za-z0-9_-])/g;
const NAME_BEFORE = /["']?([A-Za-z][A-Za-z0-9_-]*)["']?\s*[=:]\s*["']?$/;

function resent(call: Call) {
  const { request, certificate, listener, direction } = call;
  return {
    method: request.method,
    url: piecesOf(addressOf(call)),
    headers: request.headers
      .slice(0, MOST_HEADERS)
      .filter(([name]) => !LEFT_OUT.has(name.toLowerCase()) && TOKEN.test(name))
      .map(([name, value]) => {
        const secret = name.toLowerCase() === 'authorization' ? 'ACCESS_TOKEN' : undefined;
        return [name, piecesOf(value, `${name}: `, secret)] as const;
      }),
    body: bodyOf(call),
    isToBank: direction === 'to-bank',
    hasCertificate: listener === 'api' && certificate !== 'absent',
  };
}

function bodyOf({ request: { body } }: Call): readonly Piece[] | 'file' | null {
  if (body === null || body.size === 0) return null;
  const whole = body.base64 !== true && body.truncated !== true && body.text.length <= LONGEST_BODY;
  return whole ? piecesOf(body.text) : 'file';
}

function addressOf(call: Call): string {
  const { target } = call.request;
  if (/^https?:\/\//i.test(target)) return target;
  const scheme = call.connection.tls === null ? 'http' : 'https';
  return (calledAt(call) ?? `${scheme}://localhost:8443`) + target;
}

/** The text between secrets, and these. `before`: what a secret may be told by besides. */
function piecesOf(given: string, before = '', name?: string): Piece[] {
  const text = given.replaceAll('\0', '');
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(SECRET)) {
    pieces.push(text.slice(from, index), {
      secret: name ?? nameBefore(before + text, before.length + index),
    });
    from = index + found.length;
  }
  pieces.push(text.slice(from));
  return pieces.filter((piece) => piece !== '');
}

function nameBefore(text: string, at: number): string {
  const name = NAME_BEFORE.exec(text.slice(Math.max(0, at - 60), at))?.[1];
  return name === undefined ? 'SECRET' : name.replaceAll('-', '_').toUpperCase();
}

const LONGEST_EXPECTED = 4_000;

/** Runs as it stands in Node.js, with undici installed; secrets are read from the environment. */
export function fetchCode({ call }: Exchange): string {
  const one = resent(call);
  const reads = one.isToBank || one.body === 'file';
  return `${[
    ...(reads ? ["import { readFileSync } from 'node:fs';"] : []),
    "import { Agent, fetch } from 'undici';",
    '',
    ...agentLines(one),
    `const response = await fetch(${written(one.url)}, ${optionsOf(one, '')});`,
    'console.log(response.status, await response.text());',
  ].join('\n')}\n`;
}

/** A gateway of its own answers it: where the call needs a token or a consent, the test has to get these first. */
export function vitestCode({ call, answer }: Exchange): string {
  const one = resent(call);
  const { method, target } = call.request;
  const path = JSON.stringify(target.split('?', 1)[0]);
  return `${[
    ...(one.body === 'file' ? ["import { readFileSync } from 'node:fs';"] : []),
    "import { startGateway } from 'sandgate/testing';",
    "import 'sandgate/testing/vitest';",
    "import { Agent, fetch } from 'undici';",
    "import { expect, it } from 'vitest';",
    '',
    `it(${JSON.stringify(`answers ${method} ${call.operation ?? target.split('?', 1)[0]}`)}, async () => {`,
    '  const gateway = await startGateway();',
    `  const dispatcher = new Agent(gateway.agent(${one.hasCertificate ? '' : 'null'}));`,
    `  const response = await fetch(gateway.urls.${call.listener === 'psu' ? 'psu' : 'api'} + ${withoutOrigin(one)}, ${optionsOf(one, '  ')});`,
    `  expect(response.status, ${path}).toBe(${answer?.status ?? 200});`,
    ...expectedBody(answer),
    '  expect(gateway).toComply();',
    '  await gateway.close();',
    '});',
  ].join('\n')}\n`;
}

function agentLines({ isToBank, hasCertificate }: Resent): string[] {
  if (!isToBank) return ['const dispatcher = new Agent();'];
  const own = hasCertificate
    ? ["    cert: readFileSync('certs/tpp.pem'),", "    key: readFileSync('certs/tpp.key'),"]
    : [];
  return [
    'const dispatcher = new Agent({',
    '  connect: {',
    "    ca: readFileSync('certs/ca.pem'),",
    ...own,
    '  },',
    '});',
  ];
}

function optionsOf({ method, headers, body }: Resent, indent: string): string {
  const lines = [
    '  dispatcher,',
    `  method: ${JSON.stringify(method)},`,
    "  redirect: 'manual',",
    ...(headers.length === 0
      ? []
      : [
          '  headers: [',
          ...headers.map(([name, value]) => `    [${JSON.stringify(name)}, ${written(value)}],`),
          '  ],',
        ]),
    ...(body === null ? [] : [`  body: ${body === 'file' ? "readFileSync('body')" : written(body)},`]),
  ];
  return `{\n${lines.map((line) => `${indent}${line}`).join('\n')}\n${indent}}`;
}

function expectedBody(answer: Exchange['answer']): string[] {
  if (answer?.content.kind !== 'json' || (answer.body?.text.length ?? 0) > LONGEST_EXPECTED) return [];
  const names = Object.keys(Object(answer.content.value));
  const members = names.map((name) => `${JSON.stringify(name)}: expect.anything()`).join(', ');
  return Array.isArray(answer.content.value)
    ? ['  expect(Array.isArray(await response.json())).toBe(true);']
    : [`  expect(await response.json()).toMatchObject({ ${members} });`];
}

const withoutOrigin = ({ url }: Resent): string => {
  const [first, ...rest] = url;
  const path = typeof first === 'string' ? first.replace(/^[a-z]+:\/\/[^/?#]*/i, '') : '';
  return written([...(path === '' ? [] : [path]), ...rest]);
};

function written(pieces: readonly Piece[]): string {
  if (pieces.every((piece) => typeof piece === 'string')) return JSON.stringify(pieces.join(''));
  const filled = pieces.map((piece) =>
    typeof piece === 'string' ? escaped(piece) : `\${process.env.${piece.secret}}`,
  );
  return `\`${filled.join('')}\``;
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1).replace(/[`$]/g, '\\$&');

/** For a POSIX shell. Secrets, which no recording holds, stand as variables: `$ACCESS_TOKEN`, `$CODE_VERIFIER`. */
export function curlLine(call: Call): string {
  const { method, url, headers, body, isToBank, hasCertificate } = resent(call);
  const parts = ['curl -sSgi'];
  if (method === 'HEAD') parts.push('--head');
  else if (method !== 'GET') parts.push(`-X ${quote([method])}`);
  if (isToBank) parts.push('--cacert certs/ca.pem');
  if (hasCertificate) parts.push('--cert certs/tpp.pem --key certs/tpp.key');
  for (const [name, value] of headers)
    parts.push(`-H ${quote(value.length === 0 ? [`${name};`] : [`${name}: `, ...value])}`);
  if (body !== null) parts.push(body === 'file' ? '--data-binary @body' : `--data-raw ${quote(body)}`);
  parts.push(quote(url));
  return parts.join(' ');
}

function quote(pieces: readonly Piece[]): string {
  const filled = pieces.map((piece) =>
    typeof piece === 'string' ? piece.replaceAll("'", `'\\''`) : `'"$${piece.secret}"'`,
  );
  return `'${filled.join('')}'`;
}
