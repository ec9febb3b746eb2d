/** Each format keeps its schema or dialect, and nothing recorded breaks out of it. */
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Report, renderReport, reportJsonSchema } from '../../src/report/index.js';
import { codePoint } from '../code-points.js';
import { CONSENT } from '../rules/ledger-of.js';
import { aStore } from '../store/stores.js';
import { type RecordingParts, record, reportOf, type Sent, VALID } from './a-recording.js';
import { aReport } from './a-report.js';
import { readJunit } from './read-junit.js';

const HOSTILE =
  '</script><script>alert(1)</script> ]]> `code` ``` | [link](javascript:alert(1)) ![x](http://evil.example/x) "\' & <b> @everyone #1 \u202e \u0000 \u001b[31m \ud800';

const hostile: Sent = {
  call: {
    operation: 'accounts.balances',
    params: { accountId: 'ACCOUNT_ID' },
    headers: {
      Authorization: undefined,
      'Consent-Id': CONSENT,
      'X-Request-ID': `${HOSTILE}`,
      'PSU-IP-Address': '`<img src=x onerror=alert(1)>`',
      'X-Note': HOSTILE,
    },
    query: `x=${encodeURIComponent(HOSTILE.slice(0, -1))}&<b>=1`,
  },
  answer: { status: 200, body: `{"balances": "${'<script>'.repeat(3)}"}` },
};
const unknownPath: Sent = {
  call: { target: '/stdgroup/v1/<script>alert(2)</script>`|`/@everyone', method: 'GET' },
  answer: { status: 404, body: '<html><script>alert(3)</script>', headers: { 'Content-Type': 'text/html' } },
};

async function hostileReport(parts: RecordingParts = {}): Promise<Report> {
  const store = aStore({ path: ':memory:' });
  record(store, [...VALID, hostile, unknownPath], parts);
  return reportOf(store, { title: `Report of ${HOSTILE}` });
}

function sarifValidator() {
  const {
    id: _,
    $schema: __,
    ...schema
  } = JSON.parse(readFileSync(new URL('../fixtures/sarif-schema-2.1.0.json', import.meta.url), 'utf8'));
  // Of draft 4, in which ajv has no interest; without id and boolean limits it reads the same in draft 7.
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  return ajv.compile(schema);
}

function jsonValidator() {
  const ajv = new Ajv2020({ allErrors: true });
  addFormats.default(ajv);
  return ajv.compile(reportJsonSchema());
}

// Once: to compile a schema takes longer than all that it is asked.
const validateSarif = sarifValidator();
const validateJson = jsonValidator();

const REPORTS: readonly (readonly [string, () => Promise<Report>])[] = [
  ['a report by hand', async () => aReport()],
  ['a report of hostile traffic', () => hostileReport()],
  [
    'a report with waivers',
    () =>
      hostileReport({
        waivers: [{ rule: 'accounts/token-present', reason: HOSTILE, until: '2026-12-31' }],
      }),
  ],
  [
    'a report against a baseline',
    () => {
      const store = aStore({ path: ':memory:' });
      record(store, [...VALID, hostile]);
      return reportOf(store, { baseline: { name: 'old.json', report: aReport() } });
    },
  ],
  [
    'a report of nothing',
    () => {
      const store = aStore({ path: ':memory:' });
      record(store, []);
      return reportOf(store);
    },
  ],
];

describe.each(REPORTS)('%s', (_, make) => {
  it('is HTML whose group headings are as wide as their table', async () => {
    const html = await renderReport(await make(), 'html');
    for (const [table] of html.matchAll(/<table[\s\S]*?<\/table>/g)) {
      const columns = table.match(/<thead[\s\S]*?<\/thead>/)?.[0].match(/<th\b/g)?.length;
      for (const [, wide] of table.matchAll(/<tr class="group"><th scope="rowgroup" colspan="(\d+)"/gi))
        expect(Number(wide)).toBe(columns);
    }
  });

  it('is valid JSON by the published schema', async () => {
    const valid = validateJson(JSON.parse(await renderReport(await make(), 'json')));
    expect(validateJson.errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  it('is the JSON that JSON.stringify writes, with two spaces', async () => {
    const report = await make();
    expect(await renderReport(report, 'json')).toBe(`${JSON.stringify(report, null, 2)}\n`);
  });

  it('is valid SARIF by the schema of OASIS', async () => {
    const report = await make();
    const sarif = JSON.parse(await renderReport(report, 'sarif'));
    validateSarif(sarif);
    expect(validateSarif.errors ?? []).toEqual([]);
    const listed = report.findings.reduce((sum, { occurrences }) => sum + occurrences.length, 0);
    expect(sarif.runs[0].results).toHaveLength(listed);
    const waived = sarif.runs[0].results.filter((one: { suppressions?: unknown }) => one.suppressions);
    expect(waived).toHaveLength(
      report.findings.flatMap(({ occurrences }) => occurrences).filter(({ waived: by }) => by !== null)
        .length,
    );
  });

  it('is JUnit that a CI system reads: a test case a rule', async () => {
    const report = await make();
    const cases = readJunit(await renderReport(report, 'junit'));
    const rules = report.coverage.rules.filter(({ outcome }) => outcome !== 'off');
    expect(new Set(cases.map(({ rule }) => rule)).size).toBe(cases.length);
    for (const { rule, outcome } of rules) {
      const found = cases.find((one) => one.rule === rule);
      const severity = report.findings.find((group) => group.rule === rule)?.severity;
      const expected =
        outcome === 'violated' && severity !== 'note'
          ? 'failure'
          : outcome === 'complied' || outcome === 'violated'
            ? 'passed'
            : 'skipped';
      expect([rule, found?.result]).toEqual([rule, expected]);
    }
  });

  it('is Markdown of at most 60 lines', async () => {
    const lines = (await renderReport(await make(), 'markdown')).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(60);
    expect(lines[0]).toMatch(/^## /);
  });
});

/** Markdown without its code: what a reader of it takes for markup. */
it('tells in Markdown what was asked for in vain, and how the bank could be reached', async () => {
  const text = await renderReport(aReport(), 'markdown');
  expect(text).toContain('Asked for and never used: transactions (in 1 of 1 consent).');
  expect(text).toContain(
    'Availability: AIS 10 calls, 5 failed for technical and 1 for business reasons, unavailable 47 to 51 min.',
  );
});

function outsideCode(markdown: string): string {
  return markdown.replace(/(?<!`)(`+)(?!`)(?:(?!\1(?!`))[\s\S])*?[^`]\1(?!`)/g, '');
}

describe('recorded text', () => {
  it('is no markup in Markdown', async () => {
    const left = outsideCode(await renderReport(await hostileReport(), 'markdown'));
    expect(left).not.toMatch(/(?<!\\)<\/?[a-z]/i);
    expect(left).not.toMatch(/(?<!\\)\]\(/);
    expect(left).not.toMatch(/(?<!\\)@everyone/);
  });

  it('is told whole in JSON', async () => {
    const { findings } = JSON.parse(await renderReport(await hostileReport(), 'json')) as Report;
    const paths = findings.flatMap(({ occurrences }) => occurrences.map(({ path }) => path));
    expect(paths).toContain('/stdgroup/v1/<script>alert(2)</script>`|`/@everyone');
  });

  it('of any kind leaves JUnit well-formed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: codePoint, maxLength: 200 }), async (text) => {
        const report = aReport();
        const [group, ...rest] = report.findings;
        if (group === undefined) throw new Error('no finding');
        const occurrences = group.occurrences.map((one) => ({
          ...one,
          place: text,
          actual: text,
          path: text,
        }));
        const head = { ...report.head, title: text };
        const xml = await renderReport(
          { ...report, head, findings: [{ ...group, occurrences }, ...rest] },
          'junit',
        );
        expect(readJunit(xml).length).toBeGreaterThan(0);
      }),
      { numRuns: 200 },
    );
  });

  it('of any kind ends no code in Markdown', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('`', ' ', 'a', '\n', '<', '|', '\\'), maxLength: 30 }),
        async (text) => {
          const report = aReport();
          const [group] = report.findings;
          if (group === undefined) throw new Error('no finding');
          const occurrences = group.occurrences.map((one) => ({
            ...one,
            place: text,
            actual: `${text}<i>`,
            path: text,
          }));
          const markdown = await renderReport(
            { ...report, findings: [{ ...group, occurrences }] },
            'markdown',
          );
          expect(outsideCode(markdown)).not.toMatch(/(?<!\\)<i>/);
        },
      ),
      { numRuns: 300 },
    );
  });
});
