/** Fingerprints: equality and nothing else, in little memory. */
import { describe, expect, it } from 'vitest';
import { createFingerprint, isFingerprint, redactExchange } from '../../../src/exchange/index.js';
import { anExchange } from '../../builders.js';
import { collectGarbage } from '../../collect-garbage.js';

const key = new Uint8Array(32).fill(7);
const fingerprint = createFingerprint(key);

describe('a fingerprint', () => {
  it('is the same for the same secret under the same key, and else another', () => {
    expect(fingerprint('a-secret')).toBe(createFingerprint(key)('a-secret'));
    expect(fingerprint('a-secret')).not.toBe(fingerprint('a-secreT'));
    expect(fingerprint('a-secret')).not.toBe(createFingerprint(new Uint8Array(32))('a-secret'));
  });

  it('is one, and that of a fingerprint is itself', () => {
    expect(isFingerprint(fingerprint('a-secret'))).toBe(true);
    expect(fingerprint(fingerprint('a-secret'))).toBe(fingerprint('a-secret'));
  });
});

describe('what is remembered', () => {
  const used = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };

  it.each<[string, (body: string, i: number) => void]>([
    ['of long secrets', (body) => fingerprint(body)],
    ['of secrets out of long bodies', (body) => fingerprint(body.slice(-96))],
    [
      'of names out of long bodies',
      (body, i) => {
        const answer = { body: `{"code":"x","a-member-of-its-own-${i}":"${body}"}` };
        redactExchange(anExchange({ answer }), fingerprint);
      },
    ],
  ])('%s does not hold on to the whole', (_, read) => {
    const before = used();
    for (let i = 0; i < 40; i++)
      read(Buffer.alloc(524_288, `${i} is no token but a body, `).toString('latin1'), i);
    expect(used() - before).toBeLessThan(10 * 1_048_576);
  });
});
