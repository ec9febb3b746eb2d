/** Of any text: every code point but halves of surrogate pairs, as likely each. */
import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };

/** The unit `binary` of fast-check lists all of them first, in every worker: a second of the processor and a hundred MB. */
export const codePoint: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map((n) => String.fromCodePoint(n < SURROGATES.first ? n : n + SURROGATES.count));

const PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@";
const urlUnit = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...PLAIN) },
  { weight: 1, arbitrary: codePoint.map(encodeURIComponent) },
);

/** The path of an address (RFC 3986 3.3), or nothing; `webPath` of fast-check makes that list. */
export const urlPath: fc.Arbitrary<string> = fc
  .array(
    fc.string({ unit: urlUnit, maxLength: 8 }).map((segment) => `/${segment}`),
    { maxLength: 5 },
  )
  .map((segments) => segments.join(''));
