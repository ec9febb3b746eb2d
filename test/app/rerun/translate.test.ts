import { describe, expect, it } from 'vitest';
import { createBindings } from '../../../src/app/rerun/bindings.js';
import { dialectOf } from '../../../src/spec/index.js';

const { learn, translate } = createBindings(dialectOf().recognise);
learn('CONSENT-1', 'CONSENT-2');

describe('a recorded sentence', () => {
  it.each([
    ['See CONSENT-1.', 'See CONSENT-2.'],
    ['Is it CONSENT-1?!', 'Is it CONSENT-2?!'],
    ['CONSENT-1.5 is another', 'CONSENT-1.5 is another'],
    ['No id here...', 'No id here...'],
  ])('%j is now %j', (recorded, now) => {
    expect(translate(recorded)).toBe(now);
  });

  it('may hold a long run of stops', { timeout: 3_000 }, () => {
    const cry = '!'.repeat(100_000);
    expect(translate(`${cry}x CONSENT-1${cry}`)).toBe(`${cry}x CONSENT-2${cry}`);
  });
});
