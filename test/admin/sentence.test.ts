/** What a finding says aloud: what was sent, and what has to be there instead. */
import { describe, expect, it } from 'vitest';
import { reasonOf } from '../../src/admin/exchanges/reason.js';
import { sentenceOf, shortFormOf } from '../../src/admin/exchanges/sentence.js';
import { placeFrom } from '../../src/exchange/index.js';
import { anExchange, type CallParts } from '../builders.js';

const said = (
  [place, expected, actual]: readonly [place: string, expected: string, actual?: string],
  call: CallParts = {},
  judges: 'tpp' | 'aspsp' = 'tpp',
) =>
  sentenceOf(
    {
      ...{ rule: 'requests/known-path', severity: 'must', judges, place: placeFrom(place), expected },
      ...(actual === undefined ? {} : { actual }),
    },
    anExchange({ call }),
  );

describe('a finding says', () => {
  it('what is missing, and what belongs there', () => {
    expect(said(['header X-Request-ID', 'a UUID', 'absent'])).toBe(
      'The TPP sent no header X-Request-ID; what belongs there is a UUID.',
    );
    expect(said(['certificate', 'a client certificate', 'none'])).toBe(
      'The TPP sent no certificate; what belongs there is a client certificate.',
    );
    expect(said(['query code_challenge', 'a value', 'absent'])).toBe(
      'The TPP sent no query parameter code_challenge.',
    );
    expect(said(['answer header Location', 'an address'], {}, 'aspsp')).toBe(
      'The bank sent no header Location; what belongs there is an address.',
    );
  });

  it('what stands there in quotation marks, and what is said of it without', () => {
    const headers = {
      'Consent-Id': 'ENDED',
      'PSU-IP-Address': '10.0.0.1',
      Authorization: 'Bearer fp_VLHMr58w',
    };
    expect(said(['header Consent-Id', 'a consent that this TPP created', 'ENDED'], { headers })).toBe(
      'The TPP sent “ENDED” in the header Consent-Id; it must be a consent that this TPP created.',
    );
    expect(
      said(['header Consent-Id', 'a consent in status valid', 'a consent in status expired'], { headers }),
    ).toBe(
      'The TPP sent “ENDED” in the header Consent-Id, a consent in status expired; it must be a consent in status valid.',
    );
    expect(said(['header PSU-IP-Address', 'another', '10.0.0.1, which is private'], { headers })).toBe(
      'The TPP sent “10.0.0.1” in the header PSU-IP-Address, which is private; it must be another.',
    );
    expect(said(['query dateFrom', 'a date', '"2026-02-30", a day that does not exist'])).toBe(
      'The TPP sent "2026-02-30" as the query parameter dateFrom, a day that does not exist; it must be a date.',
    );
  });

  it('what it says of a secret at the place of it, and first where it is long', () => {
    const headers = { Authorization: 'Bearer fp_VLHMr58w' };
    expect(
      said(['header Authorization', 'a token with scope AIS:A', 'a token with scope AIS:B'], { headers }),
    ).toBe(
      'The TPP sent a token with scope AIS:B in the header Authorization; it must be a token with scope AIS:A.',
    );
    const long = ['header Digest', 'the hash of the body', 'another digest: that of no body'] as const;
    expect(said(long)).toBe(
      'In the header Digest the TPP sent another digest: that of no body; it must be the hash of the body.',
    );
  });

  it.each([
    [
      'query a',
      'no such parameter',
      'a',
      'The TPP sent the query parameter a; there must be no such parameter.',
    ],
    [
      'query a',
      'the parameter once',
      '1, 2',
      'The TPP sent the query parameter a several times: 1, 2; it must be there once.',
    ],
    ['body a', 'the member once', 'twice', 'The TPP sent a in the body twice; it must be there once.'],
    ['query', 'no query', 'code', 'The TPP sent code in the query; there must be no query.'],
    [
      'query a',
      'a value',
      'an empty string',
      'The TPP sent an empty string as the query parameter a; it must not be empty.',
    ],
    ['query a', 'a, b', '', 'The TPP sent an empty value as the query parameter a; it must be a or b.'],
    [
      'body',
      'JSON',
      'a body that cannot be read',
      'The TPP sent a body that cannot be read; it must be JSON.',
    ],
    ['answer', 'a status 2xx', 'status 500', 'The TPP answered 500; it must be a status 2xx.'],
  ] as const)('of %s: expected %s, found %s', (place, expected, actual, words) => {
    expect(said([place, expected, actual])).toBe(words);
  });

  it('a value of JSON as it stands there: a number is in no quotation marks', () => {
    const call = { operation: 'consents.create', body: { frequencyPerDay: 10, access: {} } } as const;
    expect(said(['body frequencyPerDay', '1 to 4', '10'], call)).toBe(
      'The TPP sent 10 as frequencyPerDay in the body; it must be 1 to 4.',
    );
    expect(said(['body access', 'one kind of access', 'no kind of access'], call)).toBe(
      'The TPP sent no kind of access as access in the body; it must be one kind of access.',
    );
  });

  it('where it stands: in query, path, body, certificate', () => {
    const target = '/stdgroup/v1/accounts?bookingStatus=bo%6Bed';
    expect(said(['query bookingStatus', 'booked, pending, both', 'boked'], { target })).toBe(
      'The TPP sent “boked” as the query parameter bookingStatus; it must be booked, pending or both.',
    );
    const body = { instructedAmount: { amount: '12,50' } };
    expect(
      said(['body instructedAmount.amount', 'a string', '"12,50"'], { operation: 'payments.create', body }),
    ).toBe('The TPP sent "12,50" as instructedAmount.amount in the body; it must be a string.');
    expect(
      said(['body validUntil', 'at most 90 days ahead', '2099-01-01, which is late'], {
        operation: 'consents.create',
        body: { validUntil: '2099-01-01' },
      }),
    ).toBe(
      'The TPP sent “2099-01-01” as validUntil in the body, which is late; it must be at most 90 days ahead.',
    );
  });

  it('what a certificate or a connection has: nobody sent its parts', () => {
    const span = [
      '2025-10-18T18:25:28.000Z to 2026-10-18T18:25:28.000Z',
      'a period that includes now',
    ] as const;
    expect(said(['certificate validity', span[1], span[0]])).toBe(
      'The validity of the TPP’s certificate is 2025-10-18T18:25:28Z to 2026-10-18T18:25:28Z; it must be a period that includes now.',
    );
    expect(said(['certificate roles', 'PSP_AI', 'PSP_PI'])).toBe(
      'The roles of the TPP’s certificate are PSP_PI; they must be PSP_AI.',
    );
    expect(said(['seal QcType', 'eseal', 'absent'])).toBe(
      'The TPP’s seal certificate has no QcType; what belongs there is eseal.',
    );
    expect(said(['connection', 'TLS 1.2 or newer', 'TLSv1.1'])).toBe(
      'The TLS version of the TPP’s connection is TLSv1.1; it must be TLS 1.2 or newer.',
    );
  });

  it('of a limit, what it counted', () => {
    const limit = [
      'header PSU-IP-Address',
      'at most four reads a day without it, the next at 00:00 on 16 June (Europe/Brussels)',
      'the fifth read of GET /accounts',
    ] as const;
    expect(said(limit)).toBe(
      'Without the header PSU-IP-Address this was the fifth read of GET /accounts; the bank allows at most four reads a day without it, the next at 00:00 on 16 June (Europe/Brussels).',
    );
    expect(said(limit, { headers: { 'PSU-IP-Address': 'localhost' } })).toMatch(
      /^Without a valid header PSU-IP-Address this was the fifth read/,
    );
  });
});

describe('a row says', () => {
  const row = (place: string, expected: string, actual?: string) =>
    shortFormOf({
      ...{ rule: 'requests/known-path', severity: 'must', judges: 'tpp', place: placeFrom(place), expected },
      ...(actual === undefined ? {} : { actual }),
    });
  it.each([
    ['header X-Request-ID', 'a UUID', undefined, 'no header X-Request-ID; expected a UUID'],
    ['query a', 'a value', 'absent', 'no query parameter a'],
    ['query a', 'the parameter once', '2 times', 'query parameter a 2 times; expected once'],
    ['query a', 'no such parameter', 'a', 'query parameter a; expected no such parameter'],
    ['certificate roles', 'PSP_AI', 'PSP_PI', 'roles of the certificate: PSP_PI; expected PSP_AI'],
    [
      'header PSU-IP-Address',
      'at most one read a day without it',
      'the second read',
      'the second read without the header PSU-IP-Address; expected at most one read a day without it',
    ],
  ])('of %s: expected %s, found %s', (place, expected, actual, words) => {
    expect(row(place, expected, actual)).toBe(words);
  });
});

it.each([
  ['note', 'The code is expired'],
  ['should', 'header X-Request-ID: 1; expected a UUID'],
] as const)('a row of a refused call with a %s says: %s', (severity, words) => {
  const finding = {
    rule: 'requests/request-id-is-uuid',
    severity,
    judges: 'tpp',
    place: 'header X-Request-ID',
  } as const;
  const answer = {
    status: 400,
    source: 'emulator',
    body: { error: 'invalid_grant', error_description: 'The code is expired' },
  } as const;
  const findings = [{ ...finding, expected: 'a UUID', actual: '1' }];
  expect(reasonOf({ exchange: anExchange({ answer }), findings, verdicts: {} })).toBe(words);
});
