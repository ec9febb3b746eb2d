import rule from '../../../src/rules/notifications/uri-allowed.js';
import { simulationWith } from '../requests-of.js';
import { testRule } from '../rule-tester.js';

const to = (tppNotificationUri: unknown) => simulationWith({ tppNotificationUri });

testRule(rule, {
  complies: {
    'this machine': { call: to('http://localhost:9000/notify') },
    'its IPv6 address': { call: to('http://[::1]:9000/notify') },
    'a host that was added': {
      call: to('https://tpp.example/notify'),
      options: { notificationHostAllowed: (host) => host === 'tpp.example' },
    },
  },
  violates: {
    'another host': {
      call: to('http://169.254.169.254/latest'),
      finds: [{ place: 'body tppNotificationUri', actual: '169.254.169.254' }],
    },
    'an allowed host as user name': {
      call: to('http://localhost@evil.example/'),
      finds: [{ actual: 'evil.example' }],
    },
    'an allowed host as sub-domain': { call: to('http://localhost.evil.example/') },
  },
  notApplicable: {
    'no address, which another rule judges': { call: to('/notify') },
    nothing: { call: to(undefined) },
  },
});
