/** HAR files of browsers and proxies, read by the interface that a bank profile describes. */
import { describe, expect, it } from 'vitest';
import { type BankProfile, bankProfile, dialectOf } from '../../../src/spec/index.js';
import { NOW } from '../../builders.js';
import { readHar } from './build-har.js';

const aProfile = (paths: BankProfile['paths']) =>
  bankProfile.parse({
    ...{ name: 'hill-bank', title: 'Hill Bank', standard: 'Berlin Group 1.3.8' },
    sources: [{ where: 'this test', tells: 'everything' }],
    paths,
  });

const OF_A_PAGE = [{ name: 'Accept', value: 'text/html' }];

const aHar = (calls: readonly (readonly [call: string, ofPage?: true])[]): string =>
  JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: 'a proxy', version: '1' },
      entries: calls.map(([call, ofPage], i) => {
        const [method, url] = call.split(' ');
        return {
          startedDateTime: new Date(NOW + i * 1_000).toISOString(),
          request: { method, url, headers: ofPage === true ? OF_A_PAGE : [], bodySize: -1 },
          response: { status: 200, headers: [], content: {}, bodySize: -1 },
        };
      }),
    },
  });

const TENANTS = aProfile({ base: '/xs2a/{tenant}', version: 'v2' });
const BASES = aProfile({
  base: '/ais',
  bases: { payments: '/pis' },
  operations: { 'oauth.token': '/oauth/token' },
});
const NO_BASE = aProfile({ base: '', version: '' });

describe('entries of a foreign HAR', () => {
  it.each<readonly [string, BankProfile, string, string | null]>([
    ['of a tenant', TENANTS, 'GET https://a.example/xs2a/hill/v2/accounts', 'accounts.list'],
    ['of another tenant', TENANTS, 'GET https://a.example/xs2a/dale/v2/accounts', 'accounts.list'],
    [
      'below a base of the proxy',
      TENANTS,
      'GET https://a.example/sandbox/xs2a/hill/v2/accounts',
      'accounts.list',
    ],
    ['at one base', BASES, 'GET https://a.example/ais/v1/accounts', 'accounts.list'],
    [
      'at another base',
      BASES,
      'POST https://a.example/pis/v1/payments/sepa-credit-transfers',
      'payments.create',
    ],
    ['at a path of its own', BASES, 'POST https://a.example/oauth/token', 'oauth.token'],
    ['without base and version', NO_BASE, 'GET https://a.example/accounts/A1/balances', 'accounts.balances'],
    ['of the built-in interface', BASES, 'GET https://a.example/stdgroup/v1/accounts', null],
    ['of the base of another service', BASES, 'GET https://a.example/pis/v1/accounts', null],
  ])('%s', (_, profile, call, operation) => {
    const { records, skipped } = readHar(aHar([[call]]), { dialect: dialectOf(profile) });
    const taken = records.map(({ exchange }) => exchange.call.operation);
    expect(operation === null ? taken.filter((one) => one !== null) : taken).toEqual(
      operation === null ? [] : [operation],
    );
    if (operation !== null) expect(skipped).toEqual({});
  });

  it('of an unknown path are a finding beside known ones, and pages of a browser are left out', () => {
    const { records, skipped } = readHar(
      aHar([
        ['GET https://a.example/xs2a/hill/v2/accounts'],
        ['GET https://a.example/xs2a/hill/v2/acounts'],
        ['GET https://a.example/imprint', true],
        ['GET https://a.example/xs2a/hill/v2/start', true],
      ]),
      { dialect: dialectOf(TENANTS) },
    );
    expect(records.map(({ exchange }) => exchange.call.operation)).toEqual(['accounts.list', null]);
    expect(skipped).toEqual({ 'another path': 2 });
  });
});
