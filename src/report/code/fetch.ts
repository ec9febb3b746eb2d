/** Code that sends a recorded request again with fetch, and a test for vitest that expects the same answer. */
import type { Exchange } from '../../exchange/index.js';
import { type Piece, type Resent, resent } from './resent.js';

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

/** As JavaScript: a text, or a template where it holds secrets. */
function written(pieces: readonly Piece[]): string {
  if (pieces.every((piece) => typeof piece === 'string')) return JSON.stringify(pieces.join(''));
  const filled = pieces.map((piece) =>
    typeof piece === 'string' ? escaped(piece) : `\${process.env.${piece.secret}}`,
  );
  return `\`${filled.join('')}\``;
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1).replace(/[`$]/g, '\\$&');
