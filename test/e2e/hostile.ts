/** What hostile clients send, byte by byte. */
const V1 = '/stdgroup/v1';

/** Targets that lead out of the base path, or that two servers read differently. */
export const OUTSIDE: readonly string[] = [
  '/../../internal/admin',
  '/%2e%2e/%2e%2e/internal/admin',
  '/.%2E/internal/admin',
  '/%252e%252e/internal/admin',
  '/..;/internal/admin',
  '/..%2finternal/admin',
  '/..%5cinternal',
  '/..\\internal',
  `${V1}/consents/x%2F..%2F..%2Finternal`,
  `${V1}/consents/x#/../internal`,
  `${V1}/consents?x=1#y`,
  `${V1}/consents/%0d%0aX-Evil:%20y`,
  `https://localhost/../internal`,
  '/%c0%ae%c0%ae/%c0%ae%c0%ae/other',
  '/%c0%ae%c0%ae%c0%afother',
  `${V1}/consents/%ff`,
];

const smuggled = 'GET /internal/admin HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Requests that end elsewhere for the next server: by what, the status, the bytes. */
export const SMUGGLED: readonly (readonly [by: string, status: number, bytes: string])[] = [
  ['the line of HTTP/0.9', 505, `GET ${V1}/consents/VALID_CONSENT_ID\r\n\r\n`],
  ['two Host fields', 400, 'GET / HTTP/1.1\r\nHost: localhost\r\nHost: internal\r\n\r\n'],
  ['two Host fields of one value', 400, 'GET / HTTP/1.1\r\nHost: a\r\nhOST: a\r\n\r\n'],
  [
    'chunks in HTTP/1.0',
    400,
    `POST ${V1}/consents HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  [
    'another coding below chunks',
    501,
    `POST ${V1}/consents HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  [
    'another coding in a field of its own',
    501,
    `POST ${V1}/consents HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  [
    'chunks twice',
    400,
    `POST ${V1}/consents HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  [
    'another coding that would be asked for',
    501,
    `POST ${V1}/consents HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: deflate, chunked\r\nExpect: 100-continue\r\n\r\n`,
  ],
];

/** Bodies that are no object of JSON. */
export const BAD_JSON: readonly string[] = [
  '{',
  '[1,',
  'null',
  '"text"',
  '[]',
  '{"a":1}x',
  '\u0000',
  '{"access":{"__proto__":{"x":1}}}',
  `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
];

const request = (line: string, fields: readonly string[], body: string | Uint8Array = ''): Buffer =>
  Buffer.concat([
    Buffer.from(`${[`${line} HTTP/1.1`, 'Host: localhost', ...fields].join('\r\n')}\r\n\r\n`, 'latin1'),
    Buffer.from(body),
  ]);
const post = (path: string, type: string, body: string | Uint8Array): Buffer =>
  request(
    `POST ${V1}${path}`,
    [
      ...['X-Request-ID: 99391c7e-ad88-49ec-a2ad-99ddcb1f7721', 'TPP-Redirect-URI: https://tpp.example/back'],
      ...[`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close'],
    ],
    body,
  );

/** All of it as the bytes of requests, and more that only an answer tells apart. */
export const HOSTILE: readonly Uint8Array[] = [
  ...OUTSIDE.map((target) => request(`GET ${target}`, ['Connection: close'])),
  ...SMUGGLED.map(([, , bytes]) => Buffer.from(bytes)),
  ...BAD_JSON.map((body) => post('/consents', 'application/json', body)),
  post('/consents', 'text/xml', '<a/>'),
  post('/consents', 'application/json', Uint8Array.of(0xff, 0xfe, 0x00, 0xc0)),
  post('/token', 'application/x-www-form-urlencoded', 'grant_type=authorization_code&code=%ff%fe'),
  post('/token', 'application/x-www-form-urlencoded', 'grant_type=%zz&code=a&code=b'),
  ...[
    'Connection: close, Host',
    'X-Evil: a\u0001b',
    'X Evil: a',
    'Content-Length: 5\r\nContent-Length: 6',
  ].map((field) => request(`GET ${V1}/consents/VALID_CONSENT_ID`, [field])),
];
