/** Mistakes of TPPs that sign: what the rules find, and which cause they name. */
import { constants } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLedger } from '../../../src/ledger/index.js';
import { createJudge, RULES } from '../../../src/rules/index.js';
import { fingerprint, judgeOptions } from '../../builders.js';
import { factsOf, keys } from '../../certificate/made.js';
import { processorTime } from '../../processor-time.js';
import {
  ASKED,
  aSignedCall,
  BODY,
  COVERED,
  DATE,
  digestOf,
  EC_SEAL,
  EC_SEAL_KEY,
  SEAL,
  type SignedParts,
  sha,
} from './a-signed-call.js';

const judge = createJudge({
  rules: RULES.filter(({ id }) => id.startsWith('signature/')),
  options: { ...judgeOptions(), ...ASKED },
  fingerprint,
});
const found = (parts: SignedParts) =>
  judge
    .judgeCall(aSignedCall(parts), createLedger())
    .findings.map(({ rule, actual }) => `${rule}: ${actual ?? ''}`);

const json = JSON.parse(BODY);
const UMLAUT = '{"creditorName":"Jos\u00e9 Gro\u00df","url":"https://a.example/b","note":"a<b & c>d"}';
const { facts: _, ...ACCENT } = { facts: 0, body: UMLAUT };
const jackson = BODY.replace(
  '{"access":{"allPsd2":"allAccounts"}',
  '{\n  "access" : {\n    "allPsd2" : "allAccounts"\n  }',
)
  .replaceAll(/,"(\w+)":/g, ',\n  "$1" : ')
  .replace(/\}$/, '\n}');
const target = '/stdgroup/v1/consents';
const WITH_TARGET = ['(request-target)', ...COVERED];
const value = (
  lines: readonly (readonly [string, string])[],
  name: string,
  change: (value: string) => string,
) => lines.map(([one, was]) => `${one}: ${one === name ? change(was) : was}`).join('\n');

type Row = readonly [name: string, parts: SignedParts, rule: string, cause: string];

const DIGESTS: readonly Row[] = [
  [
    'hexadecimal',
    { digest: `SHA-256=${sha('sha256', BODY).toString('hex')}` },
    'digest-well-formed',
    'hexadecimal in place of base64',
  ],
  [
    'base64url',
    { digest: `SHA-256=${sha('sha256', BODY).toString('base64url')}` },
    'digest-well-formed',
    'base64',
  ],
  ['no padding', { digest: digestOf(BODY).replace(/=+$/, '') }, 'digest-well-formed', 'base64'],
  [
    'base64 of the hexadecimal text',
    { digest: `SHA-256=${Buffer.from(sha('sha256', BODY).toString('hex')).toString('base64')}` },
    'digest-well-formed',
    'base64 of the hexadecimal text',
  ],
  [
    'SHA-512 under SHA-256',
    { digest: `SHA-256=${sha('sha512', BODY).toString('base64')}` },
    'digest-well-formed',
    'it is SHA-512 under the label SHA-256',
  ],
  [
    'SHA-256 under SHA-512',
    { digest: digestOf(BODY).replace('256', '512') },
    'digest-well-formed',
    'it is SHA-256 under the label SHA-512',
  ],
  [
    'SHA-1',
    { digest: `SHA=${sha('sha1', BODY).toString('base64')}` },
    'digest-well-formed',
    'it is SHA-1 under the label SHA',
  ],
  ['no label', { digest: digestOf(BODY).slice(8) }, 'digest-well-formed', 'a digest without them'],
  [
    'pretty-printed by two',
    { digest: digestOf(JSON.stringify(json, null, 2)) },
    'digest-matches-body',
    'pretty-printed by two blanks (first difference: byte 2',
  ],
  [
    'pretty-printed by four',
    { digest: digestOf(JSON.stringify(json, null, 4)) },
    'digest-matches-body',
    'pretty-printed by four blanks',
  ],
  [
    'pretty-printed by tabs',
    { digest: digestOf(JSON.stringify(json, null, '\t')) },
    'digest-matches-body',
    'pretty-printed by tabs',
  ],
  [
    'pretty-printed by Jackson',
    { digest: digestOf(jackson) },
    'digest-matches-body',
    'pretty-printed by Jackson',
  ],
  [
    'pretty-printed with CRLF',
    { digest: digestOf(JSON.stringify(json, null, 2).replaceAll('\n', '\r\n')) },
    'digest-matches-body',
    'pretty-printed by two blanks, with CRLF line ends',
  ],
  [
    'compact before it was printed',
    { body: JSON.stringify(json, null, 2), digest: digestOf(BODY) },
    'digest-matches-body',
    'without blanks between its elements',
  ],
  [
    'blanks as Python writes them',
    { digest: digestOf(BODY.replaceAll('":', '": ').replaceAll(',"', ', "')) },
    'digest-matches-body',
    'with blanks behind colons and commas',
  ],
  [
    'members sorted',
    { body: '{"b":1,"a":{"d":[1,2],"c":null}}', digest: digestOf('{"a":{"c":null,"d":[1,2]},"b":1}') },
    'digest-matches-body',
    'with its members sorted',
  ],
  [
    'a newline at the end',
    { digest: digestOf(`${BODY}\n`) },
    'digest-matches-body',
    `with a newline at the end (first difference: byte ${BODY.length + 1}, the end was sent, 0x0a was hashed)`,
  ],
  ['CRLF at the end', { digest: digestOf(`${BODY}\r\n`) }, 'digest-matches-body', 'with CRLF at the end'],
  [
    'a newline sent and not hashed',
    { body: `${BODY}\n`, digest: digestOf(BODY) },
    'digest-matches-body',
    'without',
  ],
  [
    'letters escaped',
    { ...ACCENT, digest: digestOf(UMLAUT.replace('\u00e9', '\\u00e9').replace('\u00df', '\\u00df')) },
    'digest-matches-body',
    'beyond ASCII as \\u escapes',
  ],
  [
    'letters unescaped',
    { body: UMLAUT.replace('\u00e9', '\\u00e9').replace('\u00df', '\\u00DF'), digest: digestOf(UMLAUT) },
    'digest-matches-body',
    'without \\u escapes',
  ],
  [
    'slashes escaped',
    { ...ACCENT, digest: digestOf(UMLAUT.replaceAll('/', '\\/')) },
    'digest-matches-body',
    'with slashes as \\/',
  ],
  [
    'slashes unescaped',
    { body: UMLAUT.replaceAll('/', '\\/'), digest: digestOf(UMLAUT) },
    'digest-matches-body',
    'without the backslash in',
  ],
  [
    'as Go writes HTML',
    {
      ...ACCENT,
      digest: digestOf(UMLAUT.replace('<', '\\u003c').replace('&', '\\u0026').replace('>', '\\u003e')),
    },
    'digest-matches-body',
    'with <, > and & as \\u escapes',
  ],
  [
    'numbers serialised again',
    { body: '{"amount":1.10}', digest: digestOf('{"amount":1.1}') },
    'digest-matches-body',
    'serialised again by JSON.stringify (first difference: byte 14, 0 was sent, } was hashed)',
  ],
  [
    'ISO 8859-1',
    { ...ACCENT, digest: digestOf(Buffer.from(UMLAUT, 'latin1')) },
    'digest-matches-body',
    'in ISO 8859-1',
  ],
  [
    'a byte order mark',
    { digest: digestOf(`\ufeff${BODY}`) },
    'digest-matches-body',
    'with a byte order mark',
  ],
  [
    'JSON in a JSON text',
    { digest: digestOf(JSON.stringify(BODY)) },
    'digest-matches-body',
    'as a JSON text in quotes',
  ],
  ['that of an empty body', { digest: digestOf('') }, 'digest-matches-body', 'of an empty body'],
  [
    '{} for no body',
    { operation: 'consents.read', body: null, digest: digestOf('{}') },
    'digest-matches-body',
    'of the text "{}" in place of nothing',
  ],
  [
    'null for no body',
    { operation: 'consents.read', body: null, digest: digestOf('null') },
    'digest-matches-body',
    'of the text "null"',
  ],
  [
    'none of an empty body',
    {
      operation: 'consents.read',
      body: null,
      digest: null,
    },
    'digest-present',
    'absent',
  ],
  ['the hash of the hash', { digest: digestOf(sha('sha256', BODY)) }, 'digest-matches-body', 'hashed twice'],
  ['another body', { digest: digestOf('{"access":{}}') }, 'digest-matches-body', 'no known cause'],
];

const SIGNATURES: readonly Row[] = [
  [
    'another order',
    { signs: (lines) => [lines[1], lines[0], ...lines.slice(2)].map((line) => line?.join(': ')).join('\n') },
    'verifies',
    'another order than they are listed in: x-request-id digest psu-id date tpp-redirect-uri (first difference: digest, byte 1: d expected, x signed)',
  ],
  [
    'the order of the alphabet',
    {
      signs: (lines) =>
        lines
          .map((line) => line.join(': '))
          .sort()
          .join('\n'),
    },
    'verifies',
    'another order',
  ],
  [
    'names as they are sent',
    {
      signs: (_, text) =>
        text
          .replace('digest', 'Digest')
          .replace('x-request-id', 'X-Request-ID')
          .replace('psu-id', 'PSU-ID')
          .replace('date', 'Date')
          .replace('tpp-redirect-uri', 'TPP-Redirect-URI'),
    },
    'verifies',
    'names of the headers were not signed in lower case (first difference: digest, byte 1: d expected, D signed)',
  ],
  ['a newline at the end', { signs: (_, text) => `${text}\n` }, 'verifies', 'a newline stood at the end'],
  ['CRLF at the end', { signs: (_, text) => `${text}\r\n` }, 'verifies', 'CRLF stood at the end'],
  [
    'CRLF between the lines',
    { signs: (_, text) => text.replaceAll('\n', '\r\n') },
    'verifies',
    'lines ended in CRLF (first difference: digest',
  ],
  [
    'backslash n between the lines',
    { signs: (_, text) => text.replaceAll('\n', '\\n') },
    'verifies',
    'backslash and an n',
  ],
  [
    'commas between the lines',
    { signs: (_, text) => text.replaceAll('\n', ', ') },
    'verifies',
    'comma and a blank',
  ],
  [
    'no blank behind the colon',
    { signs: (lines) => lines.map((line) => line.join(':')).join('\n') },
    'verifies',
    'no blank stood behind the colons',
  ],
  ['values alone', { signs: (lines) => lines.map(([, one]) => one).join('\n') }, 'verifies', 'without names'],
  [
    'the digest without label',
    { signs: (lines) => value(lines, 'digest', (one) => one.slice(8)) },
    'verifies',
    'digest: it was signed without its label (first difference: digest, byte 9: S expected',
  ],
  [
    'the label in lower case',
    { signs: (lines) => value(lines, 'digest', (one) => one.replace('SHA', 'sha')) },
    'verifies',
    'digest: its label was signed in another letter case',
  ],
  [
    'another digest of the body',
    { signs: (lines) => value(lines, 'digest', () => `SHA-512=${sha('sha512', BODY).toString('base64')}`) },
    'verifies',
    'digest: another digest of the body was signed',
  ],
  [
    'an earlier date',
    { signs: (lines) => value(lines, 'date', () => DATE.replace('00 GMT', '01 GMT')) },
    'verifies',
    'date: another date was signed, 1 s later',
  ],
  [
    'a date of ISO 8601',
    { signs: (lines) => value(lines, 'date', () => new Date(DATE).toISOString()) },
    'verifies',
    'date: it was signed in ISO 8601',
  ],
  [
    'the id in capitals',
    { signs: (lines) => value(lines, 'x-request-id', (one) => one.toUpperCase()) },
    'verifies',
    'x-request-id: it was signed in capitals',
  ],
  [
    'an address encoded',
    { signs: (lines) => value(lines, 'tpp-redirect-uri', encodeURIComponent) },
    'verifies',
    'tpp-redirect-uri: it was signed percent-encoded',
  ],
  [
    'without the query',
    {
      operation: 'accounts.list',
      body: null,
      query: 'withBalance=true',
      covered: WITH_TARGET,
      signs: (lines) => value(lines, '(request-target)', (one) => one.split('?', 1)[0] ?? ''),
    },
    'verifies',
    '(request-target): it was signed without the query',
  ],
  [
    'without the base path',
    { covered: WITH_TARGET, signs: (lines) => value(lines, '(request-target)', () => 'post /v1/consents') },
    'verifies',
    '(request-target): it was signed without the beginning of the path',
  ],
  [
    'with a base path',
    { covered: WITH_TARGET, signs: (lines) => value(lines, '(request-target)', () => `post /psd2${target}`) },
    'verifies',
    '(request-target): it was signed with /psd2 before the path',
  ],
  [
    'with the whole address',
    {
      covered: WITH_TARGET,
      signs: (lines) => value(lines, '(request-target)', () => `post https://localhost:8443${target}`),
    },
    'verifies',
    'with the whole address',
  ],
  [
    'the method in capitals',
    { covered: WITH_TARGET, signs: (lines) => value(lines, '(request-target)', () => `POST ${target}`) },
    'verifies',
    'the method was signed in capitals',
  ],
  [
    'the target signed, not listed',
    { signs: (_, text) => `(request-target): post ${target}\n${text}` },
    'verifies',
    '(request-target) was signed, and is not listed',
  ],
  [
    'a header listed, not signed',
    {
      signs: (lines) =>
        lines
          .filter(([one]) => one !== 'psu-id')
          .map((line) => line.join(': '))
          .join('\n'),
    },
    'verifies',
    'psu-id is listed, and was not signed',
  ],
  [
    'the hash of the text',
    { signs: (_, text) => sha('sha256', text) },
    'verifies',
    'the hash of the text was signed',
  ],
  [
    'the hash of the text in hexadecimal',
    { signs: (_, text) => sha('sha256', text).toString('hex') },
    'verifies',
    'the hash of the text was signed',
  ],
  [
    'names as sent, and a newline',
    {
      signs: (_, text) =>
        `${text.replace('digest', 'Digest').replace('x-request-id', 'X-Request-ID').replace('psu-id', 'PSU-ID').replace('date', 'Date').replace('tpp-redirect-uri', 'TPP-Redirect-URI')}\n`,
    },
    'verifies',
    'not signed in lower case; a newline stood at the end',
  ],
  [
    'SHA-512 under rsa-sha256',
    { hash: 'sha512' },
    'verifies',
    'it was made by rsa-sha512, not by rsa-sha256',
  ],
  ['SHA-1 under rsa-sha256', { hash: 'sha1' }, 'verifies', 'it was made by rsa-sha1'],
  [
    'PSS under rsa-sha256',
    { signer: { key: keys('rsa-2048', 'seal').privateKey, padding: constants.RSA_PKCS1_PSS_PADDING } },
    'verifies',
    'it was made by rsa-pss-sha256',
  ],
  [
    'the key of another certificate',
    // Longer than that of the certificate: one signature in 256 by a key of the same length looks like PSS.
    { key: keys('rsa-3072', 'other').privateKey },
    'verifies',
    'another key signed',
  ],
  [
    'its CA first in the header',
    { certificateHeader: `${EC_SEAL.pem}${SEAL.pem}`.replaceAll('\n', ' ') },
    'verifies',
    'the key of certificate 2 in the header signed',
  ],
  ['base64url', { encode: (one) => one.toString('base64url') }, 'parameters', 'base64url in place of base64'],
  ['hexadecimal', { encode: (one) => one.toString('hex') }, 'verifies', 'hexadecimal in place of base64'],
  [
    'base64 twice',
    { encode: (one) => Buffer.from(one.toString('base64')).toString('base64') },
    'verifies',
    'base64 twice',
  ],
  [
    'the serial number in decimal',
    {
      keyId: `SN=${BigInt(`0x${factsOf(SEAL).serialNumber}`)},CA=CN=Test Root,O=Test Trust Services,C=BE`,
    },
    'key-id-names-certificate',
    'in decimal',
  ],
  ['another text', { signs: () => 'something else' }, 'verifies', 'no known cause'],
  [
    'an elliptic key and another order',
    {
      certificate: EC_SEAL,
      key: EC_SEAL_KEY,
      algorithm: 'ecdsa-sha256',
      signs: (lines) =>
        lines
          .toReversed()
          .map((line) => line.join(': '))
          .join('\n'),
    },
    'verifies',
    'another order',
  ],
  [
    'an elliptic key and a newline',
    { certificate: EC_SEAL, key: EC_SEAL_KEY, algorithm: 'ecdsa-sha256', signs: (_, text) => `${text}\n` },
    'verifies',
    'a newline stood at the end',
  ],
];

describe('a signed call', () => {
  it('that is right has no finding, whatever was signed and by which key', () => {
    expect(found({})).toEqual([]);
    expect(found({ operation: 'consents.read', body: null })).toEqual([]);
    expect(found({ hash: 'sha512', algorithm: 'rsa-sha512' })).toEqual([]);
    expect(found({ covered: WITH_TARGET })).toEqual([]);
    expect(found({ algorithm: 'hs2019' })).toEqual([]);
    const ec = { certificate: EC_SEAL, key: EC_SEAL_KEY, algorithm: 'ecdsa-sha256' };
    expect(found(ec)).toEqual([]);
    expect(found({ ...ec, signer: { key: EC_SEAL_KEY, dsaEncoding: 'ieee-p1363' } })).toEqual([]);
  });

  it.each([...DIGESTS, ...SIGNATURES])('with %s: %#', (_name, parts, rule, cause) => {
    const lines = found(parts);
    expect(lines.map((line) => line.split(':', 1)[0])).toEqual([`signature/${rule}`]);
    expect(lines[0]).toContain(cause);
  });

  it('may hold anything in its headers and its body: it is judged, and never by an error', () => {
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc.base64String(),
      fc.constantFrom('', '[', '{"a":', '\ufeff', '-----BEGIN'),
    );
    const some = fc.option(text, { nil: undefined });
    fc.assert(
      fc.property(
        text,
        some,
        some,
        some,
        fc.array(text, { maxLength: 4 }),
        (body, digest, signature, certificate, covered) => {
          const parts: SignedParts = {
            body,
            covered: [...covered.map((name) => name.replace(/[" ]/g, '')), '(request-target)', 'digest'],
            ...(digest === undefined ? {} : { digest }),
            ...(signature === undefined ? {} : { signature }),
            ...(certificate === undefined ? {} : { certificateHeader: certificate }),
          };
          expect(found(parts).length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('the search for a cause', () => {
  it.each<[string, SignedParts]>([
    ['a signature of blanks', { encode: () => `A${' '.repeat(15_000)}!` }],
    [
      'two hundred wrong digests of a long body',
      {
        body: JSON.stringify({ all: Array.from({ length: 1_500 }, (_, i) => ({ text: `é/<x>${i}` })) }),
        digest: Array.from({ length: 200 }, (_, i) => digestOf(`${i}`)).join(','),
      },
    ],
  ])('ends soon at %s', (_, parts) => {
    found(parts);
    const before = processorTime();
    for (let i = 0; i < 10; i++) found(parts);
    expect(processorTime() - before).toBeLessThan(parts.encode === undefined ? 6_000 : 500);
  });
});
