import { describe, expect, it } from 'vitest';
import { describeChallenge, toBase64url } from '../../../src/rules/checks/challenge.js';

/** Far more than a request line may be. */
const LONG = 100_000;
const QUICK_MS = 3_000;
const run = '='.repeat(LONG);

describe('a challenge in base64', () => {
  it.each([
    ['', ''],
    ['abc', 'abc'],
    ['abc=', 'abc'],
    ['abc==', 'abc'],
    ['====', ''],
    ['a=b', 'a=b'],
    ['=a', '=a'],
    ['a+b/c d==', 'a-b_c-d'],
  ])('%j is %j in base64url', (text, expected) => {
    expect(toBase64url(text)).toBe(expected);
  });

  it.each([
    ['abc', '3 characters'],
    ['abc=', '4 characters: base64 with padding (=)'],
    ['a=b', '3 characters, among them forbidden ones'],
    ['a/b', '3 characters: base64 of the standard alphabet (+ and /)'],
    ['a/b=', '4 characters: base64 of the standard alphabet (+ and /), with padding'],
  ])('%j is told as %j', (text, expected) => {
    expect(describeChallenge(text)).toBe(expected);
  });

  it('is read in no time where a long run of padding is not its end', { timeout: QUICK_MS }, () => {
    expect(toBase64url(`${run}A`)).toHaveLength(LONG + 1);
    expect(describeChallenge(`${run}A`)).toBe(`${LONG + 1} characters, among them forbidden ones`);
  });

  it('loses all of its padding, however long that is', { timeout: QUICK_MS }, () => {
    expect(toBase64url(`A${run}`)).toBe('A');
    expect(describeChallenge(`A${run}`)).toContain('with padding');
  });
});
