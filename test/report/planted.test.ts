/** Ten planted violations stand in every format of the report, each once and at its place, and nothing else does. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawReport, loadConfig, openSessionSource } from '../../src/app/index.js';
import { occurrenceAnchor } from '../../src/report/html/links.js';
import { type Report, renderReport } from '../../src/report/index.js';
import type { JourneyName } from '../mutations/journeys.js';
import { openStage, type Stage } from '../mutations/play.js';
import { MUTATIONS, type Mutation } from '../mutations/table.js';
import { readJunit } from './read-junit.js';

/** One mutation of the table for each, by its rule. */
const RULES = [
  'certificate/within-validity',
  'requests/known-path',
  'requests/request-id-present',
  'requests/psu-ip-address-valid',
  'consents/valid-until-within-90-days',
  'oauth/response-type',
  'accounts/token-present',
  'accounts/within-daily-limit',
  'payments/iban-valid',
  'funds/amount-well-formed',
];

interface Planted {
  readonly rule: string;
  readonly place: string;
  readonly exchange: string;
}

/** Of the first gateway, and without further calls that would break the rule again. */
const fits = (journey: JourneyName, rule: string): boolean =>
  rule === 'accounts/within-daily-limit' ? journey === 'ais explicit' : !journey.includes('direct');

function mutationOf(rule: string): Mutation {
  const found = Object.values(MUTATIONS)
    .flat()
    .find(([, journey, , , names, only]) => names === rule && only !== 'production' && fits(journey, rule));
  if (found === undefined) throw new Error(`no mutation offends ${rule}`);
  return found;
}

let stage: Stage;
let report: Report;
const planted: Planted[] = [];

beforeAll(async () => {
  stage = await openStage('sandbox');
  for (const rule of RULES) {
    const [, journey, step, change] = mutationOf(rule);
    const { records } = await stage.play(journey, step, change);
    for (const { exchange, findings } of records) {
      for (const { severity, rule: named, place } of findings)
        if (severity !== 'note') planted.push({ rule: named, place, exchange: exchange.call.id });
    }
  }
  const { store } = stage.gatewayOf('ais').app;
  const [session] = await store.sessions();
  if (session === undefined) throw new Error('nothing was recorded');
  const opened = await openSessionSource(store, session, { loaded: loadConfig(), today: '2026-01-01' });
  report = await drawReport(opened, { version: '1.0.0' });
});
afterAll(() => stage.close());

const inOrder = (found: readonly Planted[]): string[] =>
  found.map(({ rule, place, exchange }) => `${exchange} ${rule} at ${place}`).sort();

/** How often a text stands in another. */
const countOf = (text: string, part: string): number => text.split(part).length - 1;

describe('ten planted violations', () => {
  it('are ten, of ten rules', () => {
    expect(planted.map(({ rule }) => rule).sort()).toEqual([...RULES].sort());
  });

  it('stand in JSON, each once and at its place', async () => {
    const { findings } = JSON.parse(await renderReport(report, 'json')) as Report;
    const found = findings
      .filter(({ severity }) => severity !== 'note')
      .flatMap(({ rule, occurrences }) => occurrences.map((one) => ({ ...one, rule })));
    expect(inOrder(found)).toEqual(inOrder(planted));
    expect(findings.every(({ omitted, waived }) => omitted === 0 && waived === 0)).toBe(true);
  });

  it('stand in JUnit, each as one failed test case that names exchange and place', async () => {
    const failures = readJunit(await renderReport(report, 'junit')).filter(
      ({ result }) => result === 'failure',
    );
    expect(failures.map(({ rule }) => rule).sort()).toEqual([...RULES].sort());
    for (const { rule, place, exchange } of planted) {
      const text = failures.find((failure) => failure.rule === rule)?.text ?? '';
      expect(countOf(text, `exchange ${exchange}`), text).toBe(1);
      expect(countOf(text, `  ${place}: expected `), text).toBe(1);
    }
  });

  it('stand in Markdown, each in a line of its own with exchange and place', async () => {
    const lines = (await renderReport(report, 'markdown')).split('\n');
    const severe = lines.filter((line) => /^- \*\*(must|should)\*\*/.test(line));
    expect(severe).toHaveLength(RULES.length);
    for (const { rule, place, exchange } of planted) {
      const at = lines.findIndex((line) => line.startsWith('- **') && line.includes(`\`${rule}\``));
      expect(lines[at + 1]).toContain(`\`${exchange}\``);
      expect(lines[at + 1]).toContain(`${place}: expected `);
    }
  });

  it('stand in SARIF, each as one result of level error or warning', async () => {
    const { runs } = JSON.parse(await renderReport(report, 'sarif'));
    const found = runs[0].results.filter(({ level }: { level: string }) => level !== 'note');
    expect(
      inOrder(
        found.map(
          (one: {
            ruleId: string;
            locations: { logicalLocations: { name: string }[] }[];
            properties: { exchange: string };
          }) => ({
            rule: one.ruleId,
            place: one.locations[0]?.logicalLocations[0]?.name ?? '',
            exchange: one.properties.exchange,
          }),
        ),
      ),
    ).toEqual(inOrder(planted));
  });

  it('stand in HTML, each once, with its place', async () => {
    const html = await renderReport(report, 'html');
    for (const { rule, place, exchange } of planted) {
      const group = report.findings.find((one) => one.rule === rule);
      const occurrence = group?.occurrences.find((one) => one.exchange === exchange);
      const anchor = `id="${occurrenceAnchor(occurrence?.id ?? '')}"`;
      expect(countOf(html, anchor), anchor).toBe(1);
      const [, text = ''] = html.split(anchor);
      expect(text.slice(0, 3_000)).toContain(place.split(' ').at(-1));
    }
  });

  it('stand at their step of a journey, or in no journey at all', () => {
    const marks = report.journeys.lanes.flatMap(({ steps }) =>
      steps.flatMap(({ exchange, findings }) =>
        findings.filter(({ severity }) => severity !== 'note').map((mark) => ({ ...mark, exchange })),
      ),
    );
    const expected = planted.filter(
      // A path that nobody knows, and a funds confirmation, belong to no consent and no payment.
      ({ rule }) => rule !== 'requests/known-path' && rule !== 'funds/amount-well-formed',
    );
    expect(inOrder(marks)).toEqual(inOrder(expected));
  });

  it('make the verdict', () => {
    const { tpp, aspsp } = report.verdict;
    expect(tpp.outcome).toBe('must-violated');
    expect(tpp.findings.must + tpp.findings.should).toBe(planted.length);
    expect(tpp.rules.mustViolated + tpp.rules.shouldViolated).toBe(RULES.length);
    expect(aspsp.outcome).toBe('complied');
  });
});
