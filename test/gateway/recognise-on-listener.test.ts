import { describe, expect, it } from 'vitest';
import { createRecogniseOn } from '../../src/gateway/index.js';
import { dialectOf } from '../../src/spec/index.js';

const recognise = createRecogniseOn({
  dialect: dialectOf(),
  urls: () => ({ api: 'https://api.example', psu: 'https://psu.example' }),
});
const AUTHORIZE = '/stdgroup/authorization/authorize/11111111-1111-1111-1111-111111111111';

describe('recognition on a listener', () => {
  it('finds on each listener what it offers', () => {
    expect(recognise('api', 'GET', '/stdgroup/v1/accounts')).toMatchObject({ operation: 'accounts.list' });
    expect(recognise('psu', 'GET', AUTHORIZE)).toMatchObject({ operation: 'oauth.authorize' });
  });

  it('names the PSU listener where authorize is asked of the API listener', () => {
    expect(recognise('api', 'GET', AUTHORIZE)).toEqual({
      kind: 'path-unknown',
      nearest: 'https://psu.example/stdgroup/authorization/authorize/{authorisationId}',
    });
  });

  it('names the API listener where its paths are asked of the PSU listener', () => {
    for (const method of ['GET', 'PATCH']) {
      const found = recognise('psu', method, '/stdgroup/v1/accounts');
      expect(found).toEqual({ kind: 'path-unknown', nearest: 'https://api.example/stdgroup/v1/accounts' });
    }
  });

  it('tells an unknown method from an unknown path', () => {
    expect(recognise('api', 'PATCH', '/stdgroup/v1/accounts')).toMatchObject({
      kind: 'method-unknown',
      allow: ['GET', 'HEAD'],
    });
    expect(recognise('api', 'GET', '/stdgroup/v1/acounts')).toEqual({
      kind: 'path-unknown',
      nearest: '/stdgroup/v1/accounts',
    });
  });
});
