import rule from '../../../src/rules/answers/creation-links.js';
import { testRule } from '../rule-tester.js';

const explicit = (
  value: string | undefined,
  operation: 'consents.create' | 'payments.create' = 'consents.create',
) => ({
  operation,
  headers: { 'TPP-Explicit-Authorisation-Preferred': value },
});
const links = (...names: string[]) => ({
  status: 201,
  body: { _links: Object.fromEntries(names.map((name) => [name, { href: '/x' }])) },
});

testRule(rule, {
  complies: {
    'an implicit consent': {
      call: explicit('false'),
      answer: links('scaOAuth', 'scaStatus', 'self', 'status'),
    },
    'an explicit payment': {
      call: explicit('true', 'payments.create'),
      answer: links('startAuthorisation', 'self', 'status'),
    },
    'a longer form of startAuthorisation': {
      call: explicit('true'),
      answer: links('startAuthorisationWithPsuIdentification', 'self', 'status'),
    },
    'without the header the bank chose the implicit way': {
      call: explicit(undefined),
      answer: links('scaOAuth', 'scaStatus', 'self', 'status', 'account'),
    },
    'without the header the bank chose the explicit way': {
      call: explicit(undefined),
      answer: links('startAuthorisation', 'self', 'status'),
    },
  },
  violates: {
    'an implicit consent without the way to authorise': {
      call: explicit('false'),
      answer: links('self', 'status'),
      finds: [
        { place: 'answer body _links.scaOAuth', actual: 'absent' },
        { place: 'answer body _links.scaStatus', actual: 'absent', atMost: 'should' },
      ],
    },
    'an explicit consent without the links that a client can do without': {
      call: explicit('true'),
      answer: links('startAuthorisation'),
      finds: [
        { place: 'answer body _links.self', actual: 'absent', atMost: 'should' },
        { place: 'answer body _links.status', actual: 'absent', atMost: 'should' },
      ],
    },
    'an explicit consent that was authorised implicitly': {
      call: explicit('true'),
      answer: links('scaOAuth', 'scaStatus', 'self', 'status'),
      finds: [
        { place: 'answer body _links.startAuthorisation', actual: 'absent' },
        { place: 'answer body _links.scaOAuth', actual: 'a link' },
      ],
    },
    'without the header and without any way to authorise': {
      call: explicit(undefined, 'payments.create'),
      answer: links('self', 'status'),
    },
  },
  notApplicable: {
    'an error': { call: explicit('false'), answer: { status: 400, body: { _links: {} } } },
    'no links at all is another finding': { call: explicit('false'), answer: { status: 201, body: {} } },
    'a read': { answer: links('self') },
  },
});
