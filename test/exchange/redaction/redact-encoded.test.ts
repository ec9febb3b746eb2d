/** Secrets in JSON that is percent-encoded, broken, escaped or in the middle of a text. */
import { describe, expect, it } from 'vitest';
import { type Exchange, redactExchange } from '../../../src/exchange/index.js';
import { anExchange, fingerprint } from '../../builders.js';

type Parts = Parameters<typeof anExchange>[0];
const encode = encodeURIComponent;
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const TEXT = { 'Content-Type': 'text/plain' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

const PLACES: readonly (readonly [string, (json: string) => Parts])[] = [
  ['a query value', (json) => ({ call: { target: `/x?data=${encode(json)}` } })],
  ['a query value encoded twice', (json) => ({ call: { target: `/x?data=${encode(encode(json))}` } })],
  ['a query without name', (json) => ({ call: { target: `/x?${encode(json)}` } })],
  ['a path', (json) => ({ call: { target: `/x/${encode(json)}/y` } })],
  [
    'an address in a query',
    (json) => ({ call: { target: `/x?u=${encode(`https://y/?d=${encode(json)}&e=f`)}` } }),
  ],
  ['a form', (json) => ({ call: { body: `data=${encode(json)}`, headers: FORM } })],
  ['the name of a form field', (json) => ({ call: { body: `${encode(json)}=`, headers: FORM } })],
  [
    'a header with an address',
    (json) => ({ call: { headers: { Referer: `https://x/?data=${encode(json)}` } } }),
  ],
  ['a header of JSON', (json) => ({ call: { headers: { 'X-Data': json } } })],
  ['a header of encoded JSON', (json) => ({ call: { headers: { 'X-Data': encode(json) } } })],
  ['a JSON body', (json) => ({ answer: { body: json, headers: JSON_TYPE } })],
  [
    'a JSON body that does not parse',
    (json) => ({ answer: { body: `${json.slice(0, -1)},}`, headers: JSON_TYPE } }),
  ],
  ['JSON under another media type', (json) => ({ answer: { body: json, headers: TEXT } })],
  ['the middle of a text', (json) => ({ answer: { body: `log: ${json} end`, headers: TEXT } })],
  ['JSON in JSON', (json) => ({ answer: { body: JSON.stringify({ p: json }), headers: JSON_TYPE } })],
  [
    'broken JSON in JSON',
    (json) => ({ answer: { body: JSON.stringify({ p: json.slice(0, -1) }), headers: JSON_TYPE } }),
  ],
  [
    'a link in JSON',
    (json) => ({ answer: { body: JSON.stringify({ href: `/x?d=${encode(json)}` }), headers: JSON_TYPE } }),
  ],
  [
    'encoded JSON in JSON',
    (json) => ({ answer: { body: JSON.stringify({ d: encode(json) }), headers: JSON_TYPE } }),
  ],
];

const NAMES = ['access_token', 'access_tok\\u0065n', '\\u0061ccess_token', 'passw\\u006Frd', 'c\\u006fde'];
const SECRETS = [
  ['a token', 'eyJhbGciOi9876543210'],
  ['a password with blanks', 'pA55 wörd/+"Tok.en_9876543210'],
] as const;
const PARTS = ['eyJhbGciOi', '9876543210', 'Tok.en', 'wörd', 'pA55'];

const redacted = (parts: Parts): Exchange => redactExchange(anExchange(parts), fingerprint);
const decoded = (text: string): string => {
  const once = text.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return once === text ? text : `${text}\n${decoded(once)}`;
};

describe.each(SECRETS)('%s', (_, secret) => {
  it.each(PLACES)('is hidden in %s, however its name is written', (_place, make) => {
    for (const name of NAMES) {
      const kept = decoded(
        JSON.stringify(redacted(make(`{"a":[{"${name}":${JSON.stringify(secret)}}],"b":1}`))),
      );
      for (const part of PARTS) expect([name, part, kept.includes(part)]).toEqual([name, part, false]);
    }
  });

  it.each(PLACES)('is hidden in %s for good: a second time nothing changes', (_place, make) => {
    const once = redacted(make(`{"a":[{"access_token":${JSON.stringify(secret)}}],"b":1}`));
    expect(redactExchange(once, fingerprint)).toEqual(once);
  });
});

it.each(PLACES)('JSON without a secret in %s stays as it is', (_, make) => {
  const given = anExchange(make('{"a":[{"iban":"BE71096123456769","note":"a b"}],"b":1}'));
  expect(redactExchange(given, fingerprint)).toBe(given);
});

it('encoded JSON keeps all but the secret', () => {
  const json = (value: string) => encode(`{"a": 1.0, "access_token": "${value}", "b": "c d"}`);
  const { call } = redacted({ call: { target: `/x?data=${json('s3cr3t-value-1')}&e=f` } });
  expect(call.request.target).toBe(`/x?data=${json(fingerprint('s3cr3t-value-1'))}&e=f`);
});
