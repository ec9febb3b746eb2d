/** The tables hold what the specification counts, and cite each other rightly. */
import { describe, expect, it } from 'vitest';
import {
  CLAUSE_IDS,
  type ClauseId,
  clauseRow,
  isSandboxResource,
  isUuid,
  OPERATION_IDS,
  OUTSIDE_SOURCES,
  operationRow,
  READING_IDS,
  readingRow,
  SANDBOX_AUTHORISATIONS,
  SANDBOX_CODES,
  SANDBOX_CONSENTS,
  SANDBOX_PAYMENTS,
  SCA_SCENARIO_IDS,
  SCA_SCENARIOS,
  SPECIFIED_CONSENT_STATUSES,
  SPECIFIED_PAYMENT_STATUSES,
  SPECIFIED_SCA_STATUSES,
  sandboxCodeScope,
  sandboxConsent,
  statusOf,
  WIRE_ERRORS,
  type WireErrorCode,
} from '../../src/spec/index.js';

/** Every "not shown" of the document, in its order. */
const NOT_SHOWN: readonly ClauseId[] = [
  'fields-not-covered.consent',
  'fields-not-covered.payment',
  'fields-not-covered.accounts',
  'fields-not-covered.authorisation',
  'fields-not-covered.funds-confirmation',
  'fields-not-covered.cross-border',
  'states.consent.transitions',
  'states.payment.transitions',
  'states.authorisation.transitions',
  'payloads-not-covered.authorisation-creation',
  'payloads-not-covered.reads',
  'payloads-not-covered.transactions-query',
  'payloads-not-covered.funds-confirmation',
  'payloads-not-covered.delete',
  'payloads-not-covered.cancellation-authorisation',
  'authentication.7',
  'authentication.8',
  'events.4',
  'events.5',
  'errors.7',
  'errors.8',
  'limits.4',
  'limits.5',
  'versioning.4',
];

describe('what the specification counts', () => {
  it.each([
    ['sandbox payment ids', SANDBOX_PAYMENTS.size, 22],
    ['sandbox consents', Object.keys(SANDBOX_CONSENTS).length, 11],
    ['consents with DELETE', Object.values(SANDBOX_CONSENTS).filter((row) => row.deletable).length, 6],
    ['sandbox authorisations', Object.keys(SANDBOX_AUTHORISATIONS).length, 8],
    ['SCA scenarios', SCA_SCENARIO_IDS.length, 14],
    ['payment statuses', SPECIFIED_PAYMENT_STATUSES.length, 11],
    ['consent statuses', SPECIFIED_CONSENT_STATUSES.length, 6],
    ['authorisation statuses', SPECIFIED_SCA_STATUSES.length, 8],
    ['operations', OPERATION_IDS.length, 25],
    ['counted operations', OPERATION_IDS.filter((id) => operationRow(id).counted).length, 4],
  ])('%s', (_, actual, expected) => {
    expect(actual).toBe(expected);
  });

  it('every authorisation status has its sandbox id, a UUID', () => {
    expect(Object.values(SANDBOX_AUTHORISATIONS).sort()).toEqual([...SPECIFIED_SCA_STATUSES].sort());
    expect(Object.keys(SANDBOX_AUTHORISATIONS).every(isUuid)).toBe(true);
  });

  it('every consent status has its sandbox id', () => {
    const statuses = new Set<string>(Object.values(SANDBOX_CONSENTS).map((row) => row.status));
    expect([...statuses].sort()).toEqual([...SPECIFIED_CONSENT_STATUSES].sort());
  });

  it('two scenarios succeed', () => {
    const succeed = SCA_SCENARIO_IDS.filter((id) => SCA_SCENARIOS[id].error === null);
    expect(succeed.sort()).toEqual(['SCA_EXEMPTED', 'SCA_OK']);
  });

  it('a sandbox code gives a token for a sandbox resource', () => {
    for (const scope of Object.values(SANDBOX_CODES)) {
      expect(isSandboxResource(scope.slice(scope.indexOf(':') + 1))).toBe(true);
    }
  });

  it.each(['__proto__', 'constructor', 'toString', ''])('%j is no sandbox id', (id) => {
    expect(sandboxConsent(id)).toBeUndefined();
    expect(sandboxCodeScope(id)).toBeUndefined();
    expect(isSandboxResource(id)).toBe(false);
  });
});

const SENTENCE = /^[A-Z].*\.$/;

describe('wire errors', () => {
  it('come with error statuses and a sentence', () => {
    for (const code of Object.keys(WIRE_ERRORS) as WireErrorCode[]) {
      const { statuses, text } = WIRE_ERRORS[code];
      expect(
        statuses.every((status: number) => status >= 400 && status < 600),
        code,
      ).toBe(true);
      expect(statusOf(code), code).toBe(statuses[0]);
      expect(text, code).toMatch(SENTENCE);
    }
  });
});

describe('clauses', () => {
  it('say something, each in its section', () => {
    const rows = CLAUSE_IDS.map(clauseRow);
    expect(rows.filter(({ text, section }) => !text.endsWith('.') || section === '')).toEqual([]);
  });

  it('no two stand at the same place', () => {
    const sections = CLAUSE_IDS.map((id) => clauseRow(id).section);
    expect(sections.filter((section, index) => sections.indexOf(section) !== index)).toEqual([]);
  });

  it('the endpoint clauses are the operations', () => {
    const endpoints = CLAUSE_IDS.filter((id) => id.startsWith('endpoint.'));
    expect(endpoints.sort()).toEqual(OPERATION_IDS.map((id) => `endpoint.${id}`).sort());
  });
});

describe('readings', () => {
  it('name a clause and a source, and say why', () => {
    const wrong = READING_IDS.filter((id) => {
      const { clause, source, chosen, why } = readingRow(id);
      const areKnown =
        CLAUSE_IDS.includes(clause) && Object.hasOwn(OUTSIDE_SOURCES, source.split(' ')[0] ?? '');
      return !areKnown || !chosen.endsWith('.') || !why.endsWith('.');
    });
    expect(wrong).toEqual([]);
  });

  it('the list of what is not shown is whole', () => {
    const silent = CLAUSE_IDS.filter((id) => clauseRow(id).text.includes('not shown'));
    expect(silent.sort()).toEqual([...NOT_SHOWN].sort());
  });

  it('fill every clause that is not shown', () => {
    const filled = new Set(READING_IDS.map((id) => readingRow(id).clause));
    expect(NOT_SHOWN.filter((clause) => !filled.has(clause))).toEqual([]);
  });
});
