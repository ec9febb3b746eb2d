/** What a finding says aloud: what was sent, and what has to be there instead. */
import { describe, expect, it } from 'vitest';
import { sentenceOf } from '../../src/admin/exchanges/sentence.js';
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
      said(['header Consent-Id', 'a consent in status valid', 'one in status expired'], { headers }),
    ).toBe(
      'The TPP sent “ENDED” in the header Consent-Id, one in status expired; it must be a consent in status valid.',
    );
    expect(said(['header PSU-IP-Address', 'another', '10.0.0.1, which is private'], { headers })).toBe(
      'The TPP sent “10.0.0.1” in the header PSU-IP-Address, which is private; it must be another.',
    );
    expect(said(['header Authorization', 'another', 'one issued to Other'], { headers })).toBe(
      'In the header Authorization the TPP sent one issued to Other; it must be another.',
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
    const span = ['2025-10-18T18:25:28.000Z to 2026-10-18T18:25:28.000Z', 'a span that holds now'] as const;
    expect(said(['certificate validity', span[1], span[0]])).toBe(
      'The TPP sent 2025-10-18T18:25:28Z to 2026-10-18T18:25:28Z as the validity of the certificate; it must be a span that holds now.',
    );
    expect(said(['certificate roles', 'PSP_AI', 'PSP_PI'])).toBe(
      'The TPP sent PSP_PI as the roles of the certificate; it must be PSP_AI.',
    );
    expect(said(['body code', 'the parameter once', '2 times'])).toBe(
      'The TPP sent 2 times as code in the body; it must be there once.',
    );
  });

  it('of a limit, what it counted', () => {
    expect(
      said([
        'header PSU-IP-Address',
        'at most four a day without it; the next at 00:00',
        'the fifth read of GET /accounts',
      ]),
    ).toBe(
      'Without the header PSU-IP-Address this was the fifth read of GET /accounts; allowed is at most four a day without it; the next at 00:00.',
    );
  });
});
