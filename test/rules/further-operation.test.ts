/** Which calls a rule is about follows from the facts of operations: one more row in the table is all there is to do. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { operationsOf, RULES } from '../../src/rules/index.js';
import { OPERATIONS, type OperationId, type OperationRow } from '../../src/spec/index.js';

const FURTHER = 'periodic-payments.create';

/** The rules about an operation of a table with one more row. */
function rulesAbout(row: OperationRow, id: string = FURTHER): string[] {
  const operations = { ...OPERATIONS, [FURTHER]: row };
  return RULES.filter((rule) => operationsOf(rule, operations).includes(id as OperationId)).map(
    (rule) => rule.id,
  );
}

const PATH = '/{segment}/v1/periodic-payments/{paymentProduct}';
const CREATION: OperationRow = { ...OPERATIONS['payments.create'], path: PATH };

describe('a further operation in the table', () => {
  it('that creates payments is judged by every rule for creations of payments, and by no other', () => {
    const about = rulesAbout(CREATION);
    expect(about).toEqual(rulesAbout(CREATION, 'payments.create'));
    expect(about).toContain('requests/psu-ip-address-present');
    expect(about).toContain('payments/body-well-formed');
    expect(about).toContain('answers/creation-links');
    expect(about).not.toContain('payments/known-to-tpp');
    expect(about).not.toContain('payments/product-matches-payment');
  });

  it('that creates consents is judged as consents are', () => {
    const about = rulesAbout({ ...OPERATIONS['consents.create'], path: '/{segment}/v2/consents' });
    expect(about).toEqual(rulesAbout(CREATION, 'consents.create'));
    expect(about).not.toContain('consents/known-to-tpp');
  });

  it('on a payment is judged by the rules for calls on payments, and by none for creations', () => {
    const about = rulesAbout({ ...OPERATIONS['payments.read'], path: `${PATH}/{paymentId}` });
    expect(about).toEqual(rulesAbout(CREATION, 'payments.read'));
    expect(about).toContain('payments/known-to-tpp');
    expect(about).not.toContain('payments/body-well-formed');
    expect(about).not.toContain('answers/location-present');
  });
});

describe('the facts of the table', () => {
  const rows = Object.entries<OperationRow>(OPERATIONS);
  const NAMED = { consent: '{consentId}', payment: '{paymentId}', account: '{accountId}' };

  it.each(rows)('say of %s what its path says too', (_, { on, path }) => {
    for (const [what, parameter] of Object.entries(NAMED)) expect(path.includes(parameter)).toBe(on === what);
    if (on === 'authorisation') expect(path).toContain('{authorisationId}');
  });

  it('are asked wherever creations are meant: none is named but as a row of a table', () => {
    const src = new URL('../../src/', import.meta.url);
    const named = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap((file) =>
        [...readFileSync(new URL(file, src), 'utf8').matchAll(/'(?:consents|payments)\.create'(?!:)/g)].map(
          ([name]) => `${file}: ${name}`,
        ),
      );
    // Readings about the answer to that one operation; the matcher's own example; the calls that somebody is shown first.
    expect(
      named.filter(
        (place) =>
          !/^(?:report\/build\/observed|testing\/matchers\/to-follow|app\/gateway\/(?:first-calls|own-tpp)|app\/demo)/.test(
            place,
          ),
      ),
    ).toEqual([]);
  });
});
