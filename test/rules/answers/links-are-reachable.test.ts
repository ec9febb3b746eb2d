import rule from '../../../src/rules/answers/links-are-reachable.js';
import { dialectOf } from '../../../src/spec/index.js';
import { testRule } from '../rule-tester.js';

const call = { operation: 'consents.create' } as const;
const self = (href: unknown, name = 'self') => ({ status: 201, body: { _links: { [name]: { href } } } });

testRule(rule, {
  complies: {
    'relative to the root': { call, answer: self('/stdgroup/v1/consents/C1') },
    'relative to the request': { call, answer: self('consents/C1/status', 'status') },
    'absolute at the host that was called': {
      call,
      answer: self('https://localhost:8443/stdgroup/v1/consents/C1'),
    },
    'authorize at the PSU listener': {
      call,
      answer: self(
        'https://localhost:8444/stdgroup/authorization/authorize/22222222-2222-2222-2222-222222222222',
        'scaOAuth',
      ),
    },
    'authorize at a host of the bank that the file has no entry for': {
      call: { ...call, certificate: 'not-observed' },
      answer: self(
        'https://login.bank.example/stdgroup/authorization/authorize/0b6e1c52-6a39-4f0e-9d1c-7f3a52c4e801',
        'scaOAuth',
      ),
    },
    ...Object.fromEntries(
      [
        'https://web.bank.example/public/stdgroup/authorize/0b6e1c52-6a39-4f0e-9d1c-7f3a52c4e801',
        'https://localhost:8443/public/stdgroup/authorize/0b6e1c52-6a39-4f0e-9d1c-7f3a52c4e801',
        '/public/stdgroup/authorize/0b6e1c52-6a39-4f0e-9d1c-7f3a52c4e801',
        'https://login.bank.example/start?of=0b6e1c52',
      ].map((href) => [`a page of the bank for the PSU: ${href}`, { call, answer: self(href, 'scaOAuth') }]),
    ),
    'a discovery link with its query': {
      call,
      answer: self('/stdgroup/.well-known/openid-configuration?authorizationId=2222', 'scaOAuth'),
    },
    'the next page, as the interface takes it': {
      call: { operation: 'accounts.transactions' },
      answer: {
        body: {
          _links: {
            next: {
              href: '/stdgroup/v1/accounts/A/transactions?bookingStatus=booked&dateFrom=2026-05-01&page=2',
            },
            download: { href: '/stdgroup/v1/accounts/A/statement?bookingStatus=BOOKED' },
          },
        },
      },
    },
    'transactions without a query, for the client to complete': {
      call: { operation: 'accounts.list' },
      answer: {
        body: { accounts: [{ _links: { transactions: { href: '/stdgroup/v1/accounts/A/transactions' } } }] },
      },
    },
    'another spelling of the product': {
      call: { operation: 'payments.create', params: { paymentProduct: 'cross-border-payments' } },
      answer: self('/stdgroup/v1/payments/cross-border-credit-transfers/P1'),
    },
    'a product that the client named itself': {
      call: { operation: 'payments.create', params: { paymentProduct: 'instant-sepa-credit-transfers' } },
      answer: self('/stdgroup/v1/payments/instant-sepa-credit-transfers/P1'),
    },
    'a link that only a POST may follow': {
      call,
      answer: self('/stdgroup/v1/consents/C1/authorisations', 'startAuthorisation'),
    },
    'a link beyond the specification, at the bank': {
      call: { operation: 'accounts.transactions' },
      answer: {
        body: {
          transactions: {
            booked: [{ _links: { transactionDetails: { href: '/stdgroup/v1/accounts/A/transactions/T' } } }],
          },
        },
      },
    },
    'only a Location': { call, answer: { status: 201, headers: { Location: '/stdgroup/v1/consents/C1' } } },
    "below a path of the bank's own": {
      call,
      answer: self('https://localhost:8443/sandbox/berlin/stdgroup/v1/consents/C1'),
    },
    'with another path segment': {
      call,
      answer: self('/bank/v1/consents/C1'),
      options: { dialect: dialectOf(undefined, 'bank') },
    },
  },
  violates: {
    'an inner address of the bank': {
      call,
      answer: self('http://10.0.0.7:8080/stdgroup/v1/consents/C1'),
      finds: [{ place: 'answer body _links.self.href', expected: "an address of the bank's own" }],
    },
    'a path that nothing answers': {
      call,
      answer: self('/consent-backend/C1'),
      finds: [{ expected: 'the path of a known operation', actual: '/consent-backend/C1' }],
    },
    "a path that nothing answers, below one of the bank's own": {
      call,
      answer: self('/sandbox/stdgroup/v1/agreements/C1'),
      finds: [{ expected: 'the path of a known operation' }],
    },
    'authorize at an inner address of the bank, in a file too': {
      call: { ...call, certificate: 'not-observed' },
      answer: self('http://10.0.0.7:8080/stdgroup/authorization/authorize/2222', 'scaOAuth'),
      finds: [{ expected: "an address of the bank's own" }],
    },
    'a consent at the path of a page for the PSU': {
      call,
      answer: self('/public/stdgroup/authorize/0b6e1c52-6a39-4f0e-9d1c-7f3a52c4e801'),
      finds: [{ expected: 'the path of a known operation' }],
    },
    'the consent at a host that the file has no entry for': {
      call: { ...call, certificate: 'not-observed' },
      answer: self('https://login.bank.example/stdgroup/v1/consents/C1'),
      finds: [{ expected: "an address of the bank's own" }],
    },
    'another host without scheme': { call, answer: self('//evil.example/stdgroup/v1/consents/C1') },
    'a scheme that is no address': { call, answer: self('javascript:alert(1)', 'scaOAuth') },
    'a text that is no URL': { call, answer: self('https://'), finds: [{ expected: 'a URL' }] },
    'a Location elsewhere': {
      call,
      answer: { status: 201, headers: { Location: 'https://elsewhere.example/stdgroup/v1/consents/C1' } },
      finds: [{ place: 'answer header Location' }],
    },
    'a product in the spelling of a program': {
      call: { operation: 'payments.create' },
      answer: {
        status: 201,
        headers: { Location: '/stdgroup/v1/payments/SEPA_CREDIT_TRANSFERS/P1' },
        body: { _links: { self: { href: '/stdgroup/v1/payments/sepa-credit-transfers/P1' } } },
      },
      finds: [{ place: 'answer header Location', actual: '/stdgroup/v1/payments/SEPA_CREDIT_TRANSFERS/P1' }],
    },
    'a booking status that the interface refuses': {
      call: { operation: 'accounts.transactions' },
      answer: {
        body: {
          transactions: {
            _links: {
              first: { href: '/stdgroup/v1/accounts/A/transactions?bookingStatus=BOOKED&page=0' },
              last: { href: 'https://localhost:8443/stdgroup/v1/accounts/A/transactions?bookingStatus=' },
            },
          },
        },
      },
      finds: [
        {
          place: 'answer body transactions._links.first.href',
          expected: 'a bookingStatus of booked, pending, both, all, information',
        },
        { place: 'answer body transactions._links.last.href' },
      ],
    },
    'dates that the interface refuses': {
      call: { operation: 'accounts.transactions' },
      answer: {
        body: {
          _links: {
            next: { href: '/stdgroup/v1/accounts/A/transactions?bookingStatus=booked&dateFrom=01.05.2026' },
            last: {
              href: '/stdgroup/v1/accounts/A/transactions?bookingStatus=booked&dateFrom=2026-05-02&dateTo=2026-05-01',
            },
          },
        },
      },
      finds: [{ expected: 'a date YYYY-MM-DD as dateFrom' }, { expected: 'a dateTo not before dateFrom' }],
    },
    'a link of an account in a list': {
      call: { operation: 'accounts.list' },
      answer: { body: { accounts: [{ _links: { balances: { href: '/balances' } } }] } },
      finds: [{ place: 'answer body accounts[0]._links.balances.href' }],
    },
  },
  notApplicable: {
    'an answer without links': { answer: { body: {} } },
    'an error': { call, answer: { status: 400, body: { _links: { self: { href: 'http://x' } } } } },
    'an href that is no link': {
      call,
      answer: { status: 201, body: { href: 'http://x', a: { b: { href: 'x' } } } },
    },
  },
});
