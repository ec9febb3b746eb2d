/** Annotations for GitHub: what its runner makes of them, by the rules by which it reads commands. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Report, renderAnnotations } from '../../src/report/index.js';
import { aReport } from './a-report.js';

const report = aReport();
const [group] = report.findings;
if (group === undefined) throw new Error('a finding is expected');
const [occurrence] = group.occurrences;
if (occurrence === undefined) throw new Error('an occurrence is expected');
const cited = report.exchanges[occurrence.exchange];
if (cited === undefined) throw new Error('a cited exchange is expected');

interface Finding {
  readonly severity?: 'must' | 'should' | 'note';
  readonly rule?: string;
  readonly actual?: string;
  readonly path?: string;
  readonly waived?: string | null;
  readonly judges?: 'tpp' | 'aspsp';
  /** The header by which the client names its test. */
  readonly test?: string;
}

/** A report with a group for each finding, and `count` findings in each. */
function reportWith(findings: readonly Finding[], count = 1): Report {
  const groups = findings.map(({ severity = 'must', rule, judges = 'tpp', test: _, ...rest }, i) => ({
    ...group,
    ...{ severity, judges, count, rule: rule ?? `requests/rule-${i}` },
    waived: rest.waived == null ? 0 : count,
    occurrences: Array.from({ length: count }, (_, n) => ({
      ...{ ...occurrence, ...rest },
      ...{ id: `${i}-${n}`, exchange: `E${i}` },
    })),
  }));
  const exchanges = findings.map(({ test }, i) => {
    const named: [string, string][] = test === undefined ? [] : [['Sandgate-Test', test]];
    return [`E${i}`, { ...cited, request: { ...cited?.request, headers: named } }] as const;
  });
  return { ...report, findings: groups, exchanges: Object.fromEntries(exchanges) } as Report;
}

/** As the runner of GitHub reads a line: https://github.com/actions/runner, ActionCommand.TryParseV2. */
function read(line: string) {
  const [, command, named = '', text = ''] = /^::(\w+) ([^:]*)::(.*)$/.exec(line) ?? [];
  const plain = (value: string) => decodeURIComponent(value.replaceAll(/%(?!25|0D|0A|3A|2C)/g, '%25'));
  const properties = Object.fromEntries(
    named.split(',').map((one) => [one.split('=')[0] ?? '', plain(one.slice(one.indexOf('=') + 1))]),
  );
  return { command, ...properties, text: plain(text) } as Readonly<Record<string, string | undefined>>;
}

const linesOf = (made: Report, party?: 'tpp' | 'aspsp') => {
  const lines = renderAnnotations(made, party).split('\n');
  expect(lines.pop()).toBe('');
  return lines.map(read);
};

describe('annotations for GitHub', () => {
  it('begin with the verdict, and say of each finding where the test made the call', () => {
    const test = 'test/an%20account.test.ts:14';
    const [verdict, finding, ...more] = linesOf(reportWith([{ test, rule: 'requests/request-id-present' }]));
    expect(verdict).toMatchObject({ command: 'notice', text: report.verdict.sentence });
    expect(finding).toMatchObject({
      command: 'error',
      file: 'test/an account.test.ts',
      line: '14',
      title: 'must requests/request-id-present',
    });
    expect(finding?.text).toContain(`expected ${occurrence.expected}`);
    expect(more).toEqual([]);
  });

  it.each([
    ['must', 'error'],
    ['should', 'warning'],
    ['note', 'notice'],
  ] as const)('show a %s as %s', (severity, command) => {
    expect(linesOf(reportWith([{ severity }]))[1]?.command).toBe(command);
  });

  it.each(['', 'test/a.test.ts', 'a b.ts:3', 'a.ts:12345678', '%E0%A4.ts:3', ':3'])(
    'name no file where a client says %j',
    (test) => {
      expect(linesOf(reportWith([{ test }]))[1]).not.toHaveProperty('file');
    },
  );

  it('show ten of a kind at most: each rule before any twice, and the number of the rest', () => {
    const rules = Array.from({ length: 6 }, (_, i) => ({ rule: `requests/rule-${i}` }));
    const titles = linesOf(reportWith(rules, 25))
      .slice(1)
      .map(({ title }) => title);
    expect(titles).toHaveLength(10);
    expect(new Set(titles.slice(0, 6)).size).toBe(6);
    expect(linesOf(reportWith(rules, 25)).at(-1)?.text).toBe(
      '141 more findings of severity must: see the report.',
    );
    const notes = Array.from({ length: 30 }, () => ({ severity: 'note' }) as const);
    const notices = linesOf(reportWith(notes)).filter(({ command }) => command === 'notice');
    expect(notices).toHaveLength(10);
    expect(notices.at(-1)?.text).toContain('22 more findings');
  });

  it('leave out waived findings, and those of the other party if one is asked for', () => {
    const made = reportWith([
      { waived: 'known' },
      { judges: 'aspsp', rule: 'answers/x' },
      { rule: 'requests/y' },
    ]);
    const titlesFor = (party?: 'tpp' | 'aspsp') =>
      linesOf(made, party)
        .slice(1)
        .map(({ title }) => title);
    expect(titlesFor()).toEqual(['must answers/x', 'must requests/y']);
    expect(titlesFor('tpp')).toEqual(['must requests/y']);
  });

  it('let no recorded text begin a command or end a value, and give it back as it was', () => {
    const piece = fc.constantFrom(
      '\n',
      '\r',
      '::',
      '%',
      ',',
      ':',
      '%0A',
      '::error file=x::',
      '##[add-mask]',
      'a',
    );
    const hostile = fc.array(piece).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(hostile, fc.string({ unit: 'binary' }), (actual, other) => {
        const test = `${encodeURI(`a,b${other.toWellFormed()}`).replaceAll(':', '%3A')}:7`;
        const made = reportWith([{ actual, path: actual, test }]);
        const text = renderAnnotations(made);
        expect(text.split(/\r\n|\r|\n/)).toHaveLength(3);
        expect(read(text.split('\n')[1] ?? '').text).toContain(`found ${actual}`);
        expect(read(text.split('\n')[1] ?? '').command).toBe('error');
      }),
    );
  });
});
