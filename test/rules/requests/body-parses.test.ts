import rule from '../../../src/rules/requests/body-parses.js';
import { fingerprint } from '../../builders.js';
import { testRule } from '../rule-tester.js';

const form = (body: string) => ({
  operation: 'oauth.token' as const,
  body,
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
});

const bank = {
  services: {
    payments: {
      'pain.001-sepa-credit-transfers': { like: 'SCT' as const, media: ['application/xml' as const] },
    },
    'periodic-payments': {
      'pain.001-sepa-credit-transfers': { like: 'SCT' as const, media: ['multipart/form-data' as const] },
    },
  },
};
const pain = (body: string, type = 'application/xml', paymentService = 'payments') => ({
  bank,
  call: {
    operation: 'payments.create' as const,
    params: { paymentService, paymentProduct: 'pain.001-sepa-credit-transfers' },
    body,
    headers: { 'Content-Type': type },
  },
});
const parts = (body: string, type: string) => pain(body, type, 'periodic-payments');
const PARTS = '--x\r\nContent-Disposition: form-data; name="xml_sct"\r\n\r\n<Document/>\r\n--x--\r\n';

testRule(rule, {
  complies: {
    'pain.001': pain(
      '<?xml version="1.0"?><Document><CstmrCdtTrfInitn/></Document>',
      'application/xml; charset=UTF-8',
    ),
    'pain.001 in parts': parts(PARTS, 'multipart/form-data; boundary="x"'),
    JSON: { call: { operation: 'consents.create', body: {} } },
    'a form with everything encoded': { call: form('a%5B%5D=caf%C3%A9+100%25&b=%2B') },
    'a form': { call: { operation: 'oauth.token', form: { a: 'b' } } },
  },
  violates: {
    'pain.001 that is cut off': {
      ...pain('<Document><CstmrCdtTrfInitn>'),
      finds: [{ expected: 'XML', actual: 'a body that cannot be read: <CstmrCdtTrfInitn> is not closed' }],
    },
    'parts without a boundary': {
      ...parts(PARTS, 'multipart/form-data'),
      finds: [{ place: 'header Content-Type', expected: 'a multipart type with a boundary' }],
    },
    'parts of another boundary': {
      ...parts(PARTS, 'multipart/form-data; boundary=y'),
      finds: [{ place: 'body' }],
    },
    'a form with a percent sign that encodes nothing': {
      call: form('grant_type=authorization_code&code=%zz'),
      finds: [{ place: 'body', actual: 'a body that cannot be read: %zz is not a percent-encoded byte' }],
    },
    'a form with a percent sign at its end': { call: form('code=100%') },
    'a form in Latin-1': { call: form('redirect_uri=https%3A%2F%2Ftpp.example%2Fcaf%E9') },
    'cut off': {
      call: { operation: 'payments.create', body: '{"a":' },
      finds: [{ place: 'body', expected: 'JSON' }],
    },
    'single quotation marks': { call: { operation: 'funds-confirmations.create', body: "{'a':1}" } },
  },
  notApplicable: {
    'a form that says to be JSON': {
      call: { operation: 'oauth.token', body: 'a=b', headers: { 'Content-Type': 'application/json' } },
    },
    'no body': { call: { operation: 'consents.create' } },
    'another media type': {
      call: { operation: 'consents.create', body: '{', headers: { 'Content-Type': 'text/plain' } },
    },
  },
  notObserved: {
    'parts that are stored as one fingerprint': parts(fingerprint(PARTS), 'multipart/form-data; boundary=x'),
  },
});
