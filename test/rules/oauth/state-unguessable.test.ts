import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isGuessable } from '../../../src/rules/checks/state-strength.js';
import rule from '../../../src/rules/oauth/state-unguessable.js';
import { authorizeWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const state = (value: string | undefined) => authorizeWith({ state: value });

testRule(rule, {
  complies: {
    '32 hexadecimal digits': { call: state('4f0e1c63b7a94d0c8f2b5a7d9e3c1f60') },
    'a UUID': { call: state('0b6e1c52-6a39-4f0e-9d1c-7f3a52c4e801') },
    '22 base64url characters': { call: state('x1Jd_9QmZ-0aYtB3kLw7Vg') },
    '39 digits': { call: state('271828182845904523536028747135266249775') },
    'a signed state': { call: state('eyJhbGciOiJIUzI1NiJ9.eyJzIjoiYWJjIn0.c2lnbmF0dXJl') },
    '22 base64url characters without a digit': { call: state('xhJdUFQmZpWaYtBnkLwTVg') },
    '26 base32 characters without a digit': { call: state('MFRGGZDFMZTWQQLCMNSGKZTHNA') },
    'a number of 128 bits that begins small': { call: state('281828459045235360287471352662497757') },
  },
  violates: {
    'a word that never changes': {
      call: state('test'),
      finds: [{ place: 'query state', actual: '"test", a constant' }],
    },
    'an empty one': { call: state(''), finds: [{ actual: 'an empty string' }] },
    'a counter': { call: state('1718442000123'), finds: [{ actual: '13 characters, 43 bits at most' }] },
    '20 letters': { call: state('xhJdUFQmZpWaYtBnkLwT') },
    '24 capitals': { call: state('MFRGGZDFMZTWQQLCMNSGKZTH') },
    '30 digits': { call: state('281828459045235360287471352662') },
    'one hexadecimal digit too few': { call: state('4f0e1c63b7a94d0c8f2b5a7d9e3c1f6') },
    'one base64url character too few': { call: state('x1Jd_9QmZ-0aYtB3kLw7V') },
    'digits in their order': {
      call: state('123456789012345678901234567890123456789'),
      finds: [{ actual: '"123456789012345678901234567890123456789", characters in their order' }],
    },
    'the alphabet': { call: state('abcdefghijklmnopqrstuvwxyzabcdefghijkl') },
    'hexadecimal digits backwards': { call: state('fedcba9876543210fedcba9876543210') },
    'a long text of few characters': { call: state('xoxoxoxoxoxoxoxoxoxoxoxoxoxoxoxoxoxo') },
  },
  notApplicable: {
    'none, which another rule judges': { call: state(undefined) },
    'an empty one in production, where oauth/authorize-parameters misses it': {
      call: state(''),
      options: { profile: 'production' },
    },
  },
});

/** 16 random bytes as clients of the field write them down. */
const ENCODINGS: Readonly<Record<string, (bytes: Buffer) => string>> = {
  hexadecimal: (bytes) => bytes.toString('hex'),
  'hexadecimal in capitals': (bytes) => bytes.toString('hex').toUpperCase(),
  base64url: (bytes) => bytes.toString('base64url'),
  base64: (bytes) => bytes.toString('base64'),
  'base32 in capitals': (bytes) => base32(bytes, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'),
  'base32 of small letters': (bytes) => base32(bytes, 'abcdefghijklmnopqrstuvwxyz234567'),
  'base32 of Crockford': (bytes) => base32(bytes, '0123456789ABCDEFGHJKMNPQRSTVWXYZ'),
  UUID: (bytes) => bytes.toString('hex').replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5'),
  decimal: (bytes) => BigInt(`0x${bytes.toString('hex')}`).toString(),
};

function base32(bytes: Buffer, alphabet: string): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('');
}

describe('right states', () => {
  const sixteenBytes = fc.noBias(fc.uint8Array({ minLength: 16, maxLength: 16 }));
  const states = fc.sample(sixteenBytes, { seed: 20_261_122, numRuns: 20_000 });

  it.each(Object.entries(ENCODINGS))('of 20,000 in %s hardly one is taken for guessable', (_, encode) => {
    const blamed = states.filter((bytes) => isGuessable(encode(Buffer.from(bytes))));
    expect(blamed.length / states.length).toBeLessThan(1 / 2_000);
  });
});
