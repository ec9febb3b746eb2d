/** Any exchange that a recording may hold, for tests of its forms in files. */
import fc from 'fast-check';
import {
  type Answer,
  type Body,
  closeCall,
  createIdSource,
  type FileRecord,
  type HeaderList,
  openAnswer,
  openCall,
  splitTarget,
} from '../../src/exchange/index.js';
import { dialectOf } from '../../src/spec/index.js';
import { aCertificate, NOW } from '../builders.js';
import { urlPath } from '../code-points.js';

const recognise = dialectOf().recognise;
const headerName = fc.oneof(
  fc.constantFrom('X-Request-ID', 'x-request-id', 'Accept', 'Consent-Id', 'Set-Cookie', '7'),
  fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,12}$/),
);
const extraHeaders = fc.array(fc.tuple(headerName, fc.string({ maxLength: 20 })), { maxLength: 6 });

const utf8 = fc.string({ unit: 'grapheme', maxLength: 60 });
const textBody = fc.tuple(
  fc.constantFrom('application/json', 'application/x-www-form-urlencoded', 'text/html; charset=utf-8'),
  fc.oneof(
    utf8,
    fc.json(),
    fc.constantFrom('a=1&b=2', 'a=%20+x&a=2', 'a&b', '%zz=1', '{"a" : 1.10}', '{"a":1,"a":2}', ''),
  ),
);
const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 });

/** A body with the media type that it came with. */
const body: fc.Arbitrary<readonly [Body | null, HeaderList]> = fc.oneof(
  fc.constant([null, []] as const),
  textBody.map(
    ([type, text]) => [{ text, size: Buffer.byteLength(text) }, [['Content-Type', type]]] as const,
  ),
  fc
    .tuple(textBody, fc.nat(9999))
    .map(([[type, text], size]) => [{ text, size }, [['content-type', type]]] as const),
  bytes.map(
    (raw) =>
      [{ text: Buffer.from(raw).toString('base64'), base64: true, size: raw.length } as const, []] as const,
  ),
  utf8.map(
    (text) =>
      [
        { text, size: 5_000_000, truncated: true, sha256: 'ab'.repeat(32) } as const,
        [['Content-Type', 'application/json']],
      ] as const,
  ),
);

const target = fc.oneof(
  fc.constantFrom(
    '/stdgroup/v1/consents',
    '/stdgroup/v1/accounts?withBalance=true',
    '/stdgroup/v1/token',
    '/stdgroup/authorization/authorize/1?scope=AIS:x&state=a+b%2B#c',
    '/elsewhere',
    '/',
    '/??x=[1]{2}|',
  ),
  urlPath,
  fc.string({ maxLength: 12 }).map((text) => `/${text}`),
);

const answer: fc.Arbitrary<Answer | null> = fc.option(
  fc
    .record({
      source: fc.constantFrom('rule', 'emulator', 'upstream', 'replay', 'gateway'),
      status: fc.integer({ min: 200, max: 599 }),
      body,
      extraHeaders,
    })
    .map(({ source, status, body: [content, type], extraHeaders: extra }) =>
      openAnswer({ source, status, headers: [...type, ...extra], body: content }),
    ),
);

const certificate = fc.constantFrom(
  aCertificate(),
  aCertificate({
    fingerprint256: 'cd'.repeat(32),
    revocation: { status: 'revoked', since: '2026-01-01T00:00:00Z' },
  }),
  aCertificate({ fingerprint256: 'ef'.repeat(32), commonName: null, organizationIdentifier: null }),
  'absent' as const,
  'not-observed' as const,
);

const record = fc.record({
  method: fc.constantFrom('GET', 'POST', 'DELETE', 'HEAD', 'PATCH'),
  target,
  extraHeaders,
  body,
  certificate,
  seal: fc.oneof(fc.constant(undefined), certificate),
  listener: fc.constantFrom('api', 'psu', 'callback'),
  tls: fc.constantFrom(
    { version: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384', resumed: false } as const,
    null,
    'not-observed' as const,
  ),
  address: fc.constantFrom('127.0.0.1', '203.0.113.7'),
  bank: fc.constantFrom(undefined, undefined, 'https://bank.example:8443', 'http://api.bank.example/sandbox'),
  sender: fc.constantFrom(undefined, undefined, 'sandgate' as const),
  answer,
  fault: fc.option(fc.constant({ kind: 'timeout', message: 'No answer within 30 s.' } as const)),
  after: fc.nat(5_000),
  ahead: fc.constantFrom(0, 0, 7_776_000_000, -86_400_001),
  total: fc.nat(5_000),
  firstByte: fc.constantFrom(undefined, 0, 2.5),
  crossed: fc.constantFrom(0, 0, 2),
  injected: fc.constantFrom(
    undefined,
    undefined,
    { fault: 'slow-balances', kind: 'delay', ms: 10_432 } as const,
    { fault: 'lost-payment', kind: 'lost', did: 201, end: 'head' } as const,
  ),
  judged: fc.boolean(),
});

/** Records in order of time, with ids as they are given live. */
export const records: fc.Arbitrary<readonly FileRecord[]> = fc
  .array(record, { maxLength: 6 })
  .map((parts) => {
    let at = NOW;
    const newId = createIdSource({ clock: () => at });
    return parts.map((part) => {
      at += part.after;
      const [content, type] = part.body;
      const call = openCall(
        {
          ...{
            at: at + part.ahead,
            ahead: part.ahead,
            id: newId(),
            session: 'a session',
            listener: part.listener,
          },
          connection: {
            ...{ address: part.address, tls: part.tls },
            ...(part.bank === undefined ? {} : { bank: part.bank }),
            ...(part.sender === undefined ? {} : { sender: part.sender }),
          },
          ...{ certificate: part.certificate, seal: part.seal, method: part.method, target: part.target },
          body: content,
          headers: [['Host', 'bank.example'], ...type, ...part.extraHeaders],
        },
        recognise(part.method, splitTarget(part.target).path),
      );
      const { total, firstByte } = part;
      const answerer = Math.floor(total / 2);
      const elapsed = firstByte === undefined ? { total, answerer } : { total, answerer, firstByte };
      const exchange = closeCall(call, part.answer, elapsed, part.fault, part.crossed, part.injected);
      if (!part.judged) return { exchange };
      return {
        exchange,
        verdicts: { 'oauth/state-fresh': 'violated', 'a/b': 'complied' },
        findings: [finding],
      };
    });
  });

const finding = {
  rule: 'oauth/state-fresh',
  severity: 'should',
  judges: 'tpp',
  place: 'query state',
  expected: 'a state that was not used before',
  actual: 'test',
} as const;
