/** A client with the wrong media type is told of all that is wrong in one go, where its body can be read. */
import { describe, expect, it } from 'vitest';
import { createLedger } from '../../src/ledger/index.js';
import { createJudge, RULES } from '../../src/rules/index.js';
import { anExchange, type CallParts, fingerprint, judgeOptions } from '../builders.js';

const judge = createJudge({ rules: RULES, options: judgeOptions(), fingerprint });
const TEXT = { 'Content-Type': 'text/plain', 'TPP-Redirect-URI': 'https://tpp.example/back' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

const PAYMENT = {
  instructedAmount: { currency: 'EUR', amount: '12,50' },
  debtorAccount: { iban: 'BE68539007547034' },
  creditorAccount: { iban: 'DE89370400440532013001' },
};
const payment = (headers: Record<string, string>, body: string): CallParts => ({
  operation: 'payments.create',
  params: { paymentProduct: 'sepa-credit-transfers' },
  headers,
  body,
});
const token = (headers: Record<string, string>, body: string): CallParts => ({
  operation: 'oauth.token',
  headers,
  body,
});

function judged(call: CallParts) {
  const { findings, refusal } = judge.judgeCall(anExchange({ call }).call, createLedger());
  const about = (family: RegExp) => findings.filter(({ rule }) => family.test(rule));
  return { findings, refusal, about };
}

describe('a body under a wrong media type', () => {
  it('has its faults told besides, and the answer is still 415', () => {
    const { about, refusal } = judged(payment(TEXT, JSON.stringify(PAYMENT)));
    expect(about(/content-type|payments\//).map(({ rule, place }) => [rule, place])).toEqual([
      ['requests/content-type', 'header Content-Type'],
      ['payments/amount-well-formed', 'body instructedAmount.amount'],
      ['payments/body-well-formed', 'body creditorName'],
      ['payments/iban-valid', 'body creditorAccount.iban'],
    ]);
    expect(refusal).toMatchObject({ kind: 'messages', status: 415 });
  });

  it('is told of as it is under the right one, but for the media type', () => {
    const text = JSON.stringify(PAYMENT);
    const right = judged(payment({ ...TEXT, 'Content-Type': 'application/json' }, text)).findings;
    const wrong = judged(payment(TEXT, text)).findings;
    expect(wrong.filter(({ rule }) => rule !== 'requests/content-type')).toEqual(right);
  });

  it.each([
    ['a form under JSON', JSON_TYPE, 'grant_type=authorization_code&code=x'],
    ['a JSON object', JSON_TYPE, '{"grant_type":"authorization_code","code":"x"}'],
    ['a form under text', { 'Content-Type': 'text/plain' }, 'grant_type=authorization_code&code=x'],
  ])('of the token endpoint is read as a form: %s', (_, headers, body) => {
    const { about } = judged(token(headers, body));
    expect(about(/content-type/)).toHaveLength(1);
    expect(about(/body-parses/)).toEqual([]);
    expect(about(/token-parameters/).map(({ place }) => place)).toEqual([
      'body client_id',
      'body code_verifier',
    ]);
  });

  it.each(['x', '"code"', '[1]', '<a/>', '{"a":'])(
    '%s cannot be read, and nothing is guessed of it',
    (body) => {
      expect(judged(payment(TEXT, body)).about(/payments\/|body-parses/)).toEqual([]);
      expect(
        judged(token(JSON_TYPE, body))
          .about(/oauth\//)
          .map(({ rule }) => rule),
      ).toEqual([]);
    },
  );
});
