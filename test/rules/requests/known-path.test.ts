import { expect } from 'vitest';
import rule from '../../../src/rules/requests/known-path.js';
import { testRule } from '../rule-tester.js';

testRule(rule, {
  complies: [
    { name: 'a path of the table' },
    { name: 'a path whose method is unknown', call: { method: 'PATCH' } },
    { name: 'authorize, on the PSU listener', call: { operation: 'oauth.authorize' } },
    {
      name: 'authorize in a recording that does not tell listeners',
      call: { operation: 'oauth.authorize', listener: 'api', certificate: 'not-observed' },
    },
  ],
  violates: [
    {
      name: 'no version',
      call: { target: '/stdgroup/consents' },
      finds: [
        { place: 'path', expected: '/stdgroup/v1/consents (the nearest)', actual: '/stdgroup/consents' },
      ],
    },
    { name: 'another segment', call: { target: '/berlingroup/v1/accounts' } },
    {
      name: 'no version, by a browser that calls the interface',
      call: {
        target: '/stdgroup/consents',
        certificate: 'not-observed',
        headers: { 'Sec-Fetch-Dest': 'empty' },
      },
    },
    {
      name: 'another segment, in a file of a TPP',
      call: { target: '/berlingroup/v1/accounts', certificate: 'not-observed' },
    },
    {
      name: 'an account read on the PSU listener, which asks for no certificate',
      call: { operation: 'accounts.list', listener: 'psu', certificate: 'absent' },
      finds: [{ expected: expect.stringContaining('api listener') }],
    },
  ],
  notApplicable: [
    {
      name: "a style of the bank's page, in the file of a browser",
      call: {
        target: '/css/login.css',
        certificate: 'not-observed',
        headers: { 'Sec-Fetch-Dest': 'style' },
      },
    },
    { name: 'a callback of the bank', call: { target: '/notify', method: 'POST', listener: 'callback' } },
  ],
});
