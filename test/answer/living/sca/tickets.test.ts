import { describe, expect, it } from 'vitest';
import { createTickets, TICKET_MS } from '../../../../src/answer/living/sca/tickets.js';

const NOW = 1_800_000_000_000;

function someTickets(key = 'a secret') {
  let nonces = 0;
  return createTickets(key, () => `nonce-${++nonces}`);
}

describe('a ticket', () => {
  it('says who has logged in, for what it was issued, for ten minutes', () => {
    const tickets = someTickets();
    const text = tickets.issue('A', 'psu-1', NOW);
    expect(tickets.read('A', text, NOW + TICKET_MS)).toEqual({
      nonce: 'nonce-1',
      psu: 'psu-1',
      until: NOW + TICKET_MS,
    });
    expect(tickets.read('A', text, NOW + TICKET_MS + 1)).toBeUndefined();
    expect(tickets.read('A', text, NOW - 1), 'of a clock set backwards').toBeUndefined();
    expect(tickets.read('B', text, NOW)).toBeUndefined();
  });

  it('is nobody’s who changes it, or makes it with another key', () => {
    const tickets = someTickets();
    const text = tickets.issue('A', null, NOW);
    const [payload = '', signature = ''] = text.split('.');
    const other = Buffer.from(JSON.stringify(['nonce-1', 'psu-1', NOW + TICKET_MS])).toString('base64url');
    for (const forged of [
      `${other}.${signature}`,
      `${payload}.${signature.slice(1)}`,
      `${payload}.`,
      payload,
      '',
      '.',
      'x'.repeat(100_000),
      someTickets('another').issue('A', 'psu-1', NOW),
    ])
      expect(tickets.read('A', forged, NOW), forged.slice(0, 40)).toBeUndefined();
  });

  it('gives the same code each time, and each ticket its own', () => {
    const tickets = someTickets();
    const read = () => tickets.read('A', tickets.issue('A', 'psu-1', NOW), NOW);
    const [one, two] = [read(), read()];
    if (one === undefined || two === undefined) throw new Error('not read');
    expect(tickets.codeOf('A', one)).toMatch(/^[0-9a-f]{64}$/);
    expect(tickets.codeOf('A', one)).toBe(tickets.codeOf('A', one));
    expect(tickets.codeOf('A', two)).not.toBe(tickets.codeOf('A', one));
    expect(tickets.codeOf('B', one)).not.toBe(tickets.codeOf('A', one));
  });
});
