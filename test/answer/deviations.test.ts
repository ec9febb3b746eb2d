import { describe, expect, it } from 'vitest';
import { createDeviations } from '../../src/answer/index.js';
import type { BankProfile, DeviationKind } from '../../src/spec/index.js';
import { aCall, anAnswer } from '../builders.js';

const API = 'https://localhost:8443';
const profileOf = (emulate: DeviationKind, operations?: string[]): BankProfile => ({
  name: 'a-bank',
  title: 'A bank',
  standard: 'Berlin Group 1.3.8',
  sources: [{ where: 'a test', tells: 'all' }],
  deviations: [
    { id: 'one', rule: 'answers/x', says: 'it', sample: 'it', emulate, ...(operations && { operations }) },
  ],
});

const LINKS = { self: { href: `${API}/v1/a` }, scaOAuth: { href: 'https://localhost:8444/b' } };
const BODY = {
  balances: [{ balanceAmount: { amount: '-12.50', currency: 'EUR' } }],
  at: '2026-03-02T12:00:00.000+01:00',
  self: 'mine',
  _links: LINKS,
};
const HEADERS = { Location: `${API}/v1/a`, 'X-Request-ID': 'id' };
const SELF = { scaOAuth: LINKS.scaOAuth };
const { _links, ...WITHOUT_LINKS } = BODY;

const answered = (profile: BankProfile | undefined) =>
  createDeviations(profile, () => API)(
    aCall({ operation: 'payments.create' }),
    anAnswer({ status: 201, headers: HEADERS, body: BODY }),
  );

describe('the emulator', () => {
  it.each<[DeviationKind, object]>([
    ['amounts-as-numbers', { ...BODY, balances: [{ balanceAmount: { amount: -12.5, currency: 'EUR' } }] }],
    ['date-times-without-offset', { ...BODY, at: '2026-03-02T12:00:00.000' }],
    ['no-self-link', { ...BODY, _links: SELF }],
    ['no-links', WITHOUT_LINKS],
    ['relative-links', { ...BODY, _links: { self: { href: '/v1/a' }, ...SELF } }],
    ['no-location', BODY],
    ['no-request-id', BODY],
  ])('deviates by %s where the profile says that the bank does', (kind, body) => {
    const answer = answered(profileOf(kind));
    expect(answer.content).toEqual({ kind: 'json', value: body });
    expect(answer.body?.size).toBe(Buffer.byteLength(JSON.stringify(body)));
    expect(answer.header.location).toBe(kind === 'no-location' ? undefined : HEADERS.Location);
    expect(answer.header['x-request-id']).toBe(kind === 'no-request-id' ? undefined : 'id');
  });

  it.each([
    ['no profile', undefined],
    ['other operations', profileOf('no-links', ['accounts.*', 'payments.read'])],
  ])('does not with %s', (_, profile) => {
    expect(answered(profile).content).toEqual({ kind: 'json', value: BODY });
  });

  it('does for the operations that are named', () => {
    expect(answered(profileOf('no-links', ['payments.*'])).content).toEqual({
      kind: 'json',
      value: WITHOUT_LINKS,
    });
  });
});
