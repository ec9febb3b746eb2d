/** Recognition of operations: every path of the table, what comes near one, and whatever else a client may send. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dialectOf, nearestOf, OPERATION_IDS, operationRow, slipOf } from '../../src/spec/index.js';
import { codePoint } from '../code-points.js';

const { recognise, isPlainPath } = dialectOf();
const VALUES: Record<string, string> = {
  segment: 'stdgroup',
  paymentService: 'payments',
  paymentProduct: 'sepa-credit-transfers',
};

function pathOf(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? `some-${name}`);
}

describe('the paths of the table', () => {
  it.each(OPERATION_IDS)('%s', (id) => {
    const { method, path } = operationRow(id);
    const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
    const params = Object.fromEntries(
      names.filter((name) => name !== 'segment').map((name) => [name, VALUES[name] ?? `some-${name}`]),
    );
    expect(recognise(method, pathOf(path, VALUES))).toEqual({ kind: 'operation', operation: id, params });
  });

  it('another segment moves them all', () => {
    const moved = dialectOf(undefined, 'bank').recognise;
    expect(moved('GET', '/bank/v1/accounts')).toMatchObject({ operation: 'accounts.list' });
    expect(moved('GET', '/stdgroup/v1/accounts')).toMatchObject({ kind: 'path-unknown' });
  });

  it.each(['/stdgroup/v1/%61ccounts', '/%73tdgroup/%76%31/accounts'])(
    'a letter is the same percent-encoded: %s',
    (path) => expect(recognise('GET', path)).toMatchObject({ operation: 'accounts.list' }),
  );

  it('HEAD is GET', () => {
    expect(recognise('HEAD', '/stdgroup/v1/accounts')).toMatchObject({ operation: 'accounts.list' });
    expect(recognise('HEAD', '/stdgroup/v1/token')).toMatchObject({ kind: 'method-unknown' });
  });
});

describe('a plain path', () => {
  const words = OPERATION_IDS.flatMap((id) => operationRow(id).path.split('/').slice(2)).concat([
    ...Object.values(VALUES),
    ...['a-b_c~1', '3dc3d5b3-7023-4848-9853-f5400a64e80f', 'a.b', '%61', ''],
  ]);
  const parts = fc.array(fc.constantFrom(...new Set(words)), { minLength: 1, maxLength: 6 });

  it('is one that is recognised', () => {
    fc.assert(
      fc.property(parts, (names) => {
        const path = `/${names.join('/')}`;
        if (isPlainPath(`/stdgroup${path}`))
          expect(recognise('GET', `/stdgroup${path}`).kind).not.toBe('path-unknown');
      }),
      { numRuns: 2_000 },
    );
  });

  it('is each of the table behind the segment, and none with a query or an escape', () => {
    const plain = { ...VALUES, authorisationId: '3dc3d5b3-7023-4848-9853-f5400a64e80f' };
    const paths = OPERATION_IDS.map((id) => operationRow(id).path).filter((path) => path.startsWith('/{s'));
    for (const template of paths) {
      const path = pathOf(template, plain);
      expect([path, `${path}?a=b`, `${path}%20`].map(isPlainPath)).toEqual([true, false, false]);
    }
  });
});

describe('another method', () => {
  it.each([
    ['PUT', '/stdgroup/v1/consents/C', ['GET', 'HEAD', 'DELETE']],
    ['GET', '/stdgroup/v1/consents', ['POST']],
    ['POST', '/stdgroup/v1/accounts', ['GET', 'HEAD']],
    ['DELETE', '/stdgroup/v1/consents/C/authorisations', ['POST', 'GET', 'HEAD']],
    ['POST', '/stdgroup/v1/payments/sepa-credit-transfers/P/cancellation-authorisations', ['GET', 'HEAD']],
    ['get', '/stdgroup/v1/accounts', ['GET', 'HEAD']],
  ])('%s %s is answered with what is allowed', (method, path, allow) => {
    const recognition = recognise(method, path);
    expect(recognition.kind).toBe('method-unknown');
    expect(recognition.kind === 'method-unknown' && [...recognition.allow].sort()).toEqual([...allow].sort());
  });

  it('keeps the parameters', () => {
    expect(recognise('PUT', '/stdgroup/v1/consents/C')).toMatchObject({ params: { consentId: 'C' } });
  });
});

describe('another path', () => {
  it.each([
    ['/stdgroup/v1/acounts', '/stdgroup/v1/accounts'],
    ['/stdgroup/v1/accounts/', '/stdgroup/v1/accounts'],
    ['/stdgroup/v1/consent', '/stdgroup/v1/consents'],
    ['/stdgroup/v1/fund-confirmations', '/stdgroup/v1/funds-confirmations'],
    ['/stdgroup/v1/.well-known/openid-configuration', '/stdgroup/.well-known/openid-configuration'],
    ['/stdgroup/v1//consents', '/stdgroup/v1/consents'],
    ['/stdgroup/token', '/stdgroup/v1/token'],
    ['/stdgroup/authorize', '/stdgroup/authorization/authorize/{authorisationId}'],
  ])('%s: perhaps %s was meant', (path, nearest) => {
    expect(recognise('GET', path)).toEqual({ kind: 'path-unknown', nearest });
  });

  it.each(['/', '/favicon.ico', '/stdgroup/v1', '/stdgroup/v1/nix', '/stdgroup/v1/signing-baskets'])(
    'no path is near %s, which was no slip of the hand',
    (path) => expect(recognise('GET', path)).toEqual({ kind: 'path-unknown', nearest: '' }),
  );

  it('a slip in each segment, with an id between them, leads to what was meant', () => {
    expect(recognise('GET', '/stdgroup/v1/account/acc-1-1/transaction')).toEqual({
      kind: 'path-unknown',
      nearest: '/stdgroup/v1/accounts/{accountId}/transactions',
    });
  });

  it.each(['', '/', '/stdgroup', '/stdgroup/v1', '/stdgroup/v1/payments', '/stdgroup/v2/accounts'])(
    '%j is unknown',
    (path) => expect(recognise('GET', path).kind).toBe('path-unknown'),
  );

  it('an empty parameter is no parameter', () => {
    expect(recognise('GET', '/stdgroup/v1/consents//status').kind).toBe('path-unknown');
  });

  it('a payment service that the standard does not know is no payment path', () => {
    expect(recognise('POST', '/stdgroup/v1/transfers/sepa-credit-transfers').kind).toBe('path-unknown');
    expect(recognise('POST', '/stdgroup/v1/bulk-payments/sepa-credit-transfers')).toMatchObject({
      operation: 'payments.create',
    });
  });

  it('a path of any length is refused quickly', () => {
    expect(recognise('GET', `/stdgroup/v1/accounts/${'a'.repeat(100_000)}`).kind).toBe('path-unknown');
  });
});

describe('percent-encoding', () => {
  it.each([
    ['a%20b', 'a b'],
    ['a%2Fb', 'a/b'],
    ['%C3%A9', 'é'],
    ['a+b', 'a+b'],
    ['VALID_CONSENT%5FID', 'VALID_CONSENT_ID'],
  ])('%s is %s', (encoded, consentId) => {
    expect(recognise('GET', `/stdgroup/v1/consents/${encoded}`)).toMatchObject({ params: { consentId } });
  });

  it.each(['%', '%zz', '%E9', '%C3'])('%s is no path', (broken) => {
    expect(recognise('GET', `/stdgroup/v1/consents/${broken}`).kind).toBe('path-unknown');
  });

  it('any id comes back as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50 }), (accountId) => {
        const path = `/stdgroup/v1/accounts/${encodeURIComponent(accountId)}/balances`;
        expect(recognise('GET', path)).toEqual({
          kind: 'operation',
          operation: 'accounts.balances',
          params: { accountId },
        });
      }),
    );
  });
});

describe('whatever a client sends', () => {
  const segment = fc.constantFrom('', 'stdgroup', 'v1', 'consents', 'payments', '%', '..', '__proto__', 'x');
  const path = fc.oneof(
    fc.string(),
    fc.string({ unit: codePoint }),
    fc.array(segment, { maxLength: 9 }).map((parts) => `/${parts.join('/')}`),
  );

  it('is recognised or not, and never throws', () => {
    fc.assert(
      fc.property(fc.string(), path, (method, text) => {
        expect(['operation', 'method-unknown', 'path-unknown']).toContain(recognise(method, text).kind);
      }),
      { numRuns: 1000 },
    );
  });

  it('nearest is one of the candidates, and a candidate is nearest to itself', () => {
    const candidates = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.string(), candidates, (text, list) => {
        expect(list).toContain(nearestOf(text, list));
        for (const candidate of list) expect(nearestOf(candidate, list)).toBe(candidate);
      }),
    );
    expect(nearestOf('x', [])).toBe('');
  });

  it.each([
    ['lisen', 'listen'],
    ['mian', 'main'],
    ['consents/valid-until-is-date', 'consents/valid-until-is-a-date'],
    ['lalala', ''],
    ['x', ''],
  ])('what %s was meant for is only said where a slip explains it', (text, meant) => {
    expect(slipOf(text, ['listen', 'main', 'consents/valid-until-is-a-date'])).toBe(meant);
    expect(slipOf(text, [])).toBe('');
  });
});
