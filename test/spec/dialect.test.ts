/** Dialects: what a bank profile makes of paths, products and links. */
import { describe, expect, it } from 'vitest';
import { type BankProfile, dialectOf, profileProblems, resolvedProfile } from '../../src/spec/index.js';
import { aProfile } from '../builders.js';

describe('paths of a profile', () => {
  it.each<[string, BankProfile['paths'], string, string]>([
    ['another base', { base: '/hydrogen' }, 'GET /hydrogen/v1/accounts', 'accounts.list'],
    ['no base', { base: '' }, 'GET /v1/accounts', 'accounts.list'],
    ['no base and no version', { base: '', version: '' }, 'GET /accounts', 'accounts.list'],
    ['a base with a tenant', { base: '/xs2a/{tenant}' }, 'GET /xs2a/12345/v1/accounts', 'accounts.list'],
    [
      'a base by group',
      { bases: { payments: '/pis' } },
      'POST /pis/v1/payments/sepa-credit-transfers',
      'payments.create',
    ],
    [
      'a path of its own',
      { operations: { 'oauth.token': '/oauth2/token' } },
      'POST /oauth2/token',
      'oauth.token',
    ],
    [
      'a further operation',
      { offers: ['consents.authorisations.update'] },
      'PUT /stdgroup/v1/consents/C1/authorisations/A1',
      'consents.authorisations.update',
    ],
  ])('%s', (_, paths, call, operation) => {
    const { recognise, pathOf, startOf } = dialectOf(aProfile({ paths }));
    const [method = '', path = ''] = call.split(' ');
    const found = recognise(method, path);
    expect(found).toMatchObject({ kind: 'operation', operation });
    if (found.kind === 'operation') expect(pathOf(found.operation, found.params)).toBe(path);
    expect(startOf(`/proxy${path}`)).toBe('/proxy'.length);
  });

  it('an operation that is not offered is an unknown path or method', () => {
    const { recognise, offers } = dialectOf(aProfile({ paths: { operations: { 'oauth.token': null } } }));
    expect(offers('oauth.token')).toBe(false);
    expect(recognise('POST', '/stdgroup/v1/token').kind).toBe('path-unknown');
  });

  it.each<[string, BankProfile['paths'], RegExp]>([
    [
      'two on one path',
      { operations: { 'consents.read': '/a/{consentId}', 'accounts.read': '/a/{accountId}' } },
      /told apart/,
    ],
    ['a lost parameter', { operations: { 'consents.read': '/consents' } }, /lacks \{consentId\}/],
    ['a parameter twice', { base: '/{consentId}' }, /twice/],
  ])('%s is a problem of the profile', (_, paths, problem) => {
    expect(
      profileProblems(aProfile({ paths }))
        .map((one) => one.problem)
        .join(),
    ).toMatch(problem);
  });

  it('a parameter of the base without a value stands for its name, be it a name that objects inherit', () => {
    const { pathOf } = dialectOf(aProfile({ paths: { base: '/{constructor}/{toString}' } }));
    expect(pathOf('accounts.list')).toBe('/constructor/toString/v1/accounts');
  });

  it('is made once for each profile and segment', () => {
    const profile = aProfile({});
    expect(dialectOf(profile)).toBe(dialectOf(profile));
    expect(dialectOf()).toBe(dialectOf());
    expect(dialectOf(undefined, 'a')).not.toBe(dialectOf(undefined, 'b'));
  });
});

describe('the approaches of a profile', () => {
  it.each<[string, BankProfile['sca'], readonly string[]]>([
    ['by OAuth where it says nothing', undefined, ['oauth']],
    ['by redirect where it has no OAuth', { oauth: 'none' }, ['redirect']],
    ['as it says them', { oauth: 'none', approaches: ['embedded', 'decoupled'] }, ['embedded', 'decoupled']],
  ])('are %s', (_, sca, approaches) => {
    const profile = aProfile(sca === undefined ? {} : { sca });
    expect([...dialectOf(profile).approaches]).toEqual(approaches);
    expect(resolvedProfile(profile).sca?.approaches).toEqual(approaches);
  });
});

describe('services of a profile', () => {
  it('are the built-in one unless it says so', () => {
    const { productOf } = dialectOf();
    expect(productOf('payments', 'sepa-credit-transfers')).toEqual({
      service: 'payments',
      code: 'SCT',
      media: ['application/json'],
    });
    expect(productOf('periodic-payments', 'sepa-credit-transfers')).toBeUndefined();
  });

  it('are those that it names', () => {
    const { productOf } = dialectOf(
      aProfile({
        services: { 'periodic-payments': { 'pain.001-sct': { like: 'SCT', media: ['application/xml'] } } },
      }),
    );
    expect(productOf('payments', 'sepa-credit-transfers')).toBeUndefined();
    expect(productOf('periodic-payments', 'pain.001-sct')?.media).toEqual(['application/xml']);
  });
});
