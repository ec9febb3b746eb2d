/** The HTML report as text: whole, escaped, the same each time, and not too long. */
import { describe, expect, it } from 'vitest';
import { htmlBytes } from '../../src/report/html/page.js';
import {
  anchor,
  bytes,
  counted,
  grouped,
  lasting,
  millis,
  span,
  visible,
} from '../../src/report/html/text.js';
import type { Report } from '../../src/report/index.js';
import { aReport } from './a-report.js';
import { aHostileReport, aLongReport } from './html-reports.js';

const renderHtml = (report: Report): string => htmlBytes(report).toString();

const withoutStyle = (html: string) =>
  html.replace(/<style>.*?<\/style>/s, '').replace(/<script>.*?<\/script>/s, '');

describe('the HTML report', () => {
  const html = renderHtml(aReport());

  it.each([
    ['https://eur-lex.europa.eu', true],
    ['javascript:alert(1)', false],
    ['data:text/html,x', false],
  ])('follows %s from a clause: %s', (link, isFollowed) => {
    const report = aReport();
    const findings = report.findings.map((group) => ({
      ...group,
      clauses: group.clauses.map((clause) => ({ ...clause, link })),
    }));
    expect(renderHtml({ ...report, findings }).includes(`href="${link}"`)).toBe(isFollowed);
  });

  it('is the same bytes for the same report', () => {
    expect(renderHtml(aReport())).toBe(html);
  });

  it('names nothing that a browser would fetch by itself', () => {
    expect(
      withoutStyle(html).match(/\b(?:src|srcset|poster|action|formaction|data|background)="[^"]*"/g),
    ).toBeNull();
    expect(html).not.toMatch(/@import|url\(/);
    expect(html.match(/<link[^>]*>/g)).toEqual(['<link rel="icon" href="data:,"/>']);
  });

  it('has a policy that lets nothing in but its own style and script', () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; script-src 'sha256-[\w+/]{43}='; img-src data:; base-uri 'none'; form-action 'none'$/,
    );
    expect(withoutStyle(html)).not.toMatch(/ style="| on[a-z]+="/);
  });

  it('leads to every place that it names', () => {
    const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]));
    const named = [
      ...withoutStyle(html).matchAll(/(?:href="#|aria-labelledby="|for="|data-of=")([^"]+)"/g),
    ].flatMap((match) => match[1]?.split(' ') ?? []);
    expect(named.length).toBeGreaterThan(80);
    expect(named.filter((id) => !ids.has(id))).toEqual([]);
  });

  it('has each id once', () => {
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]);
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
  });

  it('keeps the order of the headings', () => {
    const levels = [...html.matchAll(/<h([1-6])/g)].map((match) => Number(match[1]));
    expect(levels[0]).toBe(1);
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    for (const [i, level] of levels.entries()) expect(level - (levels[i - 1] ?? 0)).toBeLessThanOrEqual(1);
  });

  it('shows rules that were never exercised before those that passed', () => {
    const places = ['Never exercised: ', 'Not observed: ', 'Violated: ', 'Complied: '].map((text) =>
      html.indexOf(text),
    );
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
  });

  it('shows an exchange that violates several rules once, and leads there from the other findings', () => {
    const report = aReport();
    const [first, second] = report.findings;
    const one = first?.occurrences[0];
    const other = second?.occurrences[0];
    if (first === undefined || second === undefined || one === undefined || other === undefined)
      throw new Error('The report has too few findings.');
    const shared = renderHtml({
      ...report,
      findings: [first, { ...second, occurrences: [{ ...other, exchange: one.exchange }] }],
    });
    expect(shared.split(`<b>POST ${one.path} HTTP/1.1</b>`)).toHaveLength(2);
    expect(shared).toContain(`<a href="#${anchor('o', one.id)}">with an earlier finding</a>`);
  });

  it('says what was not tested, what was asked for in vain, and how long the bank was away', () => {
    expect(html).toMatch(/Link accounts, explicit<\/th><td class="num">not tested/);
    expect(html).toContain('transactions, in 1<');
    expect(html).toContain('<td>47 to 51 min</td>');
    expect(html).toMatch(/96\.46 to 96\.74<\/td>.*<strong class="over">yes/s);
    expect(html).toContain('Highest number on a day: 4, on 2026-06-15');
  });

  it('says what was left out', () => {
    const report = aReport();
    const cut = renderHtml({
      ...report,
      journeys: { ...report.journeys, omitted: 7 },
      dailyLimit: { ...report.dailyLimit, omitted: 1 },
      appendix: {
        exchanges: report.appendix.exchanges,
        omitted: 4711,
        note: 'The appendix lists the first 11.',
      },
    });
    expect(cut).toContain('7 more journeys are not listed here');
    expect(cut).toContain('1 more row is not listed here');
    expect(cut).toContain('The appendix lists the first 11.');
  });

  it.each([
    ['without findings', { findings: [], exchanges: {} }],
    [
      'without traffic',
      { appendix: { exchanges: [], omitted: 0, note: null }, tpps: [], against: [], bankDeviations: [] },
    ],
    ['without journeys', { journeys: { lanes: [], omitted: 0 } }],
    [
      'with a lane of one step',
      {
        journeys: {
          lanes: aReport().journeys.lanes.map((journey) => ({
            ...journey,
            steps: journey.steps.slice(0, 1),
          })),
          omitted: 0,
        },
      },
    ],
    [
      'without accesses and certificates',
      {
        dailyLimit: { window: 'A day', rows: [], omitted: 0, days: [] },
        certificates: { list: [], omitted: 0, absent: 0, notObserved: 3 },
      },
    ],
  ])('is whole %s', (_name, part) => {
    const text = renderHtml(aReport(part));
    expect(text.endsWith('</html>\n')).toBe(true);
    expect(withoutStyle(text)).not.toMatch(/\bNaN\b|undefined|Infinity|\[object /);
  });
});

describe('hostile text in the HTML report', () => {
  const html = renderHtml(aHostileReport());

  it('adds no element and no attribute', () => {
    const names = (text: string) =>
      new Set([...text.matchAll(/<([a-z][a-z0-9]*)/gi)].map((match) => match[1]));
    expect(names(html)).toEqual(names(renderHtml(aReport())));
    expect(html.match(/<script/g)).toHaveLength(1);
  });

  it('is never a link that runs', () => {
    expect(
      [...html.matchAll(/href="([^"#]*)/g)]
        .map((match) => match[1])
        .filter((link) => link?.startsWith('javascript:')),
    ).toEqual([]);
  });

  it('hides and reorders nothing: such characters are written out', () => {
    expect(html).toContain('\\u202egnp.exe\\u0000\\u0007\\u2066');
    expect(html.match(/.{0,60}[\u202a-\u202e\u2066-\u2069\0].{0,20}/g)).toBeNull();
  });
});

describe('the length of the HTML report', () => {
  it('is below 2 MB for 1,000 exchanges with 1,000 findings', () => {
    expect(Buffer.byteLength(renderHtml(aLongReport(1_000)))).toBeLessThan(2_000_000);
  });

  it('grows with the exchanges, not with their square', () => {
    const [small, large] = [1_000, 20_000].map((exchanges) =>
      Buffer.byteLength(renderHtml(aLongReport(exchanges))),
    );
    expect((large ?? 0) / 20_000).toBeLessThan(700);
    expect(large).toBeLessThan((small ?? 0) * 20);
  });
});

describe('values on a page', () => {
  it.each([
    [grouped(0), '0'],
    [grouped(1234567), '1,234,567'],
    [counted(1, 'entry', 'entries'), '1 entry'],
    [counted(1200, 'entry', 'entries'), '1,200 entries'],
    [span('2026-06-15T10:00:00.000Z', '2026-06-15T10:01:10.000Z'), '15 June 2026, 10:00:00 to 10:01:10 UTC'],
    [
      span('2026-06-15T10:00:00.000Z', '2026-07-01T00:00:00.000Z'),
      '15 June 2026, 10:00:00 to 1 July 2026, 00:00:00 UTC',
    ],
    [lasting(350), '350 ms'],
    [lasting(7_200_000), '2 h'],
    [millis(null), '–'],
    [millis(41.23), '41.2'],
    [millis(1234.5), '1,235'],
    [bytes(1), '1 byte'],
    [bytes(18_204), '17.8 KiB'],
    [bytes(5_000_000), '4.8 MiB'],
    [visible('a\tb\nc\rd\u200be\ud800'), 'a\tb\nc\\rd\\u200be\\ud800'],
    [visible('Zoë €'), 'Zoë €'],
    [anchor('r', 'consents/valid-until'), 'r-consents-valid-until'],
    [anchor('x', 'a b"<'), 'x-a_20b_22_3c'],
  ])('reads %s', (actual, expected) => {
    expect(actual).toBe(expected);
  });
});
