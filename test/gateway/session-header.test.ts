/** The header that names a session: taken once, and only where it is a name. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseSession } from '../../src/gateway/open-call.js';

const named = (session: string) => ({ session });
const never = () => {
  throw new Error('nobody must be asked');
};

describe('Sandgate-Session', () => {
  it('names the session, and is taken off the call', () => {
    const headers = [
      ['Host', 'bank.example'],
      ['sandgate-SESSION', 'nightly_1.2-3'],
      ['Accept', 'a'],
    ] as const;
    expect(chooseSession(headers, named)).toEqual({
      session: 'nightly_1.2-3',
      headers: [headers[0], headers[2]],
      problem: null,
    });
  });

  it('means nothing where it is not there', () => {
    expect(chooseSession([['Sandgate-Other', 'x']], never)).toBeNull();
    expect(chooseSession([], never)).toBeNull();
  });

  it.each([
    ['empty', ['']],
    ['too long', ['a'.repeat(65)]],
    ['with a blank', ['a b']],
    ['with a slash', ['a/b']],
    ['of other letters', ['née']],
    ['of dots', ['..']],
    ['twice', ['a', 'a']],
  ])('is refused %s', (_, values) => {
    const choice = chooseSession(
      values.map((value) => ['Sandgate-Session', value] as const),
      never,
    );
    expect(choice).toMatchObject({
      session: null,
      headers: [],
      problem: { status: 400, code: 'FORMAT_ERROR' },
    });
  });

  it('is refused where the session cannot be had, with the reason', () => {
    const choice = chooseSession([['Sandgate-Session', 'a']], () => ({ problem: 'Too many.' }));
    expect(choice).toMatchObject({ session: null, problem: { status: 400, text: 'Too many.' } });
  });

  it('holds a name or is refused, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 80 }), async (value) => {
        const choice = await chooseSession([['Sandgate-Session', value]], named);
        const isName = /^[A-Za-z0-9._-]{1,64}$/.test(value) && !/^\.+$/.test(value);
        expect(choice?.session ?? null).toBe(isName ? value : null);
        expect(choice?.problem === null).toBe(isName);
      }),
      { examples: [['.'], ['..'], ['...'], ['.a'], ['']] },
    );
  });
});
