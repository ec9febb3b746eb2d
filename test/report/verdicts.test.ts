/** Verdicts: of the bank only where a bank answered, and of customers' calls by the TPP that sent them. */
import { describe, expect, it } from 'vitest';
import { keyOf, type LedgerChange, UNOBSERVED_TPP } from '../../src/ledger/index.js';
import { createOwners } from '../../src/report/build/owner.js';
import { type Report, renderReport } from '../../src/report/index.js';
import { aCertificate, anExchange, NOW, OTHER_TPP, organisation, TPP } from '../builders.js';
import { AUTHORISATION, anAuthorisation, ledgerOf } from '../rules/ledger-of.js';
import { authorizeWith } from '../rules/requests-of.js';
import { aStore } from '../store/stores.js';
import { type RecordingParts, record, reportOf, type Sent, VALID } from './a-recording.js';

async function reportOn(sent: readonly Sent[], parts: RecordingParts = {}): Promise<Report> {
  const store = aStore({ path: ':memory:' });
  record(store, sent, parts);
  return reportOf(store);
}

const of = (tpp: string, digits: string) =>
  aCertificate({ fingerprint256: digits.repeat(32), organizationIdentifier: organisation(tpp) });
const OTHER = of(OTHER_TPP, 'cd');

type Source = NonNullable<NonNullable<Sent['answer']>['source']>;
const answeredBy = (source: Source, more: Partial<NonNullable<Sent['answer']>> = {}): Sent => ({
  call: { operation: 'consents.status', params: { consentId: 'c-1' } },
  answer: { source, body: { consentStatus: 'valid' }, ...more },
});
const amiss = { headers: { 'X-Request-ID': 'another' } };

describe('the verdict on who answered', () => {
  it.each<[string, readonly Sent[], Report['verdict']['answerer'], RegExp]>([
    [
      'a bank',
      [answeredBy('upstream')],
      'bank',
      /^The bank complied with all rules that were tested: \d+\.$/,
    ],
    [
      'the emulator',
      [answeredBy('emulator')],
      'emulator',
      /^Answered by the built-in emulator; says nothing of a bank\.$/,
    ],
    [
      'a replay',
      [answeredBy('replay')],
      'replay',
      /^Answered by a replayed recording; says nothing of a bank\.$/,
    ],
    [
      'an emulator and a replay',
      [answeredBy('replay'), answeredBy('emulator')],
      'emulator',
      /^Answered by the built-in emulator and a replayed recording; says nothing of a bank\.$/,
    ],
    [
      'an emulator that deviates',
      [answeredBy('emulator', amiss)],
      'emulator',
      /^Answered by the built-in emulator, which violated 1 rule of the interface; says nothing of a bank\.$/,
    ],
    [
      'a bank and the emulator',
      [answeredBy('upstream'), answeredBy('emulator', amiss)],
      'several',
      /^The bank complied .*\. Other calls were answered by the built-in emulator, which says nothing of a bank\.$/,
    ],
    [
      'a bank that deviates, and the emulator',
      [answeredBy('upstream', amiss), answeredBy('emulator')],
      'several',
      /^The bank violated 1 rule of severity should, .*Other calls were answered by the built-in emulator/,
    ],
    ['nobody', [], 'nobody', /^The bank was not tested\.$/],
  ])('names %s', async (_, sent, answerer, sentence) => {
    const { verdict } = await reportOn(sent);
    expect(verdict.answerer).toBe(answerer);
    expect(verdict.aspsp.sentence).toMatch(sentence);
    expect(verdict.sentence.endsWith(verdict.aspsp.sentence)).toBe(true);
  });

  it.each(['emulator', 'replay'] as const)('calls no %s a bank in any format', async (source) => {
    const report = await reportOn([answeredBy(source, amiss)]);
    // The table of availability holds numbers alone, and of a bank only.
    expect(await renderReport(report, 'csv')).toMatch(/^[^\n]+\n$/);
    for (const format of ['html', 'json', 'junit', 'markdown', 'sarif'] as const) {
      const text = await renderReport(report, format);
      expect(text, format).toContain('says nothing of a bank');
      expect(text, format).not.toMatch(
        /\b(?:the bank (?:complied|violated)|at fault: bank|bank: answers)|\(bank,/i,
      );
    }
  });

  it('counts findings of the bank alone, where others answered too', async () => {
    const { verdict } = await reportOn([answeredBy('upstream'), answeredBy('emulator', amiss)]);
    expect(verdict.aspsp.findings).toEqual({ must: 0, should: 0, note: 0, waived: 0 });
  });
});

describe('the verdict on several TPPs', () => {
  const read = (tpp: string, digits: string, headers = {}): Sent => ({
    call: { operation: 'consents.status', params: { consentId: 'c' }, certificate: of(tpp, digits), headers },
    answer: { body: { consentStatus: 'valid' } },
  });
  const many = (count: number, headers = {}): Sent[] =>
    Array.from({ length: count }, (_, i) => read(`PSDBE-NBB-${i}`, `a${i}`, headers));

  it('is a sentence for each of a few, and counts of many', async () => {
    const few = (await reportOn(many(3))).verdict;
    expect(few.sentence.match(/Test TPP \(PSDBE-NBB-\d\) violated/g)).toHaveLength(3);
    const { verdict } = await reportOn(many(5));
    expect(verdict.sentence).toMatch(/^Of 5 TPPs: 5 violated rules of severity must\. /);
    expect(verdict.tpps.map(({ tpp }) => tpp)).toEqual(many(5).map((_, i) => `PSDBE-NBB-${i}`));
  });

  it('is apart for callers that nobody knows, if there is a finding on one', async () => {
    const stranger: Sent = {
      call: { operation: 'consents.read', certificate: 'absent' },
      answer: { body: {} },
    };
    const { tpps, tpp } = (await reportOn([...VALID, stranger])).verdict;
    expect(tpps.map((one) => [one.tpp, one.outcome])).toEqual([
      [TPP, 'complied'],
      [null, 'must-violated'],
    ]);
    expect(tpp.outcome).toBe('must-violated');
    expect(tpps[1]?.violated.map(({ rule }) => rule)).toContain('certificate/presented');
  });

  it('is of all together alone beyond the limit', async () => {
    const store = aStore({ path: ':memory:' });
    record(store, many(4));
    const { verdict, otherCallers } = await reportOf(store, { caps: { rows: 2 } });
    expect([verdict.tpps.length, otherCallers.notListed]).toEqual([2, 2]);
    expect(verdict.tpp.outcome).toBe('must-violated');
  });
});

it('a finding tells in how many calls of how many it was found, the first and the last time', async () => {
  const read = (headers = {}): Sent => ({
    call: { operation: 'consents.status', params: { consentId: 'c-1' }, headers },
    answer: { body: { consentStatus: 'valid' } },
  });
  const without = read({ 'X-Request-ID': undefined });
  const { findings } = await reportOn([read(), without, read(), without, read()]);
  expect(findings.find(({ rule }) => rule === 'requests/request-id-present')).toMatchObject({
    ...{ count: 2, calls: 2, outOf: 5 },
    ...{ first: new Date(NOW + 4_000).toISOString(), last: new Date(NOW + 8_000).toISOString() },
  });
});

describe('a call of a browser', () => {
  const LITERAL = '22222222-2222-2222-2222-222222222222';
  const api = (tpp: typeof OTHER) => anExchange({ call: { operation: 'consents.create', certificate: tpp } });
  const sent = (fields: Record<string, string>, authorisationId = AUTHORISATION) =>
    anExchange({ call: authorizeWith(fields, { params: { authorisationId } }) });
  const literal = (tpp: string, redirectUri: string): LedgerChange => {
    const change = anAuthorisation({ id: LITERAL, tpp, redirectUri });
    return { ...change, key: keyOf.authorisationOfTpp(LITERAL, tpp) } as LedgerChange;
  };
  const A = 'https://a.example/cb';
  const B = 'https://b.example/cb';
  const shared = [literal(TPP, A), literal(OTHER_TPP, B)];
  const sandbox = { client_id: 'VALID_CLIENT_ID' };

  it.each<[string, readonly LedgerChange[], ReturnType<typeof sent>, string | null]>([
    ['the owner of its authorisation', [anAuthorisation({})], sent(sandbox), TPP],
    ['the TPP that its client id names', [], sent({ client_id: OTHER_TPP }), OTHER_TPP],
    ['nobody, if the client id names no caller', [], sent({ client_id: 'PSDXX-NONE-1' }), null],
    [
      'nobody, if the client id names another than the owner',
      [anAuthorisation({})],
      sent({ client_id: OTHER_TPP }),
      null,
    ],
    [
      'nobody, if the owner was not observed',
      [anAuthorisation({ tpp: UNOBSERVED_TPP })],
      sent(sandbox),
      null,
    ],
    [
      'the TPP that gave the return address',
      shared,
      sent({ ...sandbox, redirect_uri: B }, LITERAL),
      OTHER_TPP,
    ],
    [
      'nobody, if two gave it',
      [literal(TPP, B), literal(OTHER_TPP, B)],
      sent({ ...sandbox, redirect_uri: B }, LITERAL),
      null,
    ],
    [
      'nobody, if nobody gave it',
      shared,
      sent({ ...sandbox, redirect_uri: 'https://c.example' }, LITERAL),
      null,
    ],
  ])('is of %s', (_, facts, exchange, owner) => {
    const ownerOf = createOwners(10);
    const ledger = ledgerOf(...facts);
    for (const one of [aCertificate(), OTHER]) ownerOf(api(one), ledger);
    expect(ownerOf(exchange, ledger)).toBe(owner);
  });
});
