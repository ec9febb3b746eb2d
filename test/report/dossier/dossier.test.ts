/** The pages of a dossier: their numbers, names of any length in any script, and what is said of whom. */
import { describe, expect, it } from 'vitest';
import { attachedFiles, readDossier, renderDossier } from '../../../src/report/dossier/index.js';
import { layPage } from '../../../src/report/dossier/layout.js';
import type { Report } from '../../../src/report/index.js';
import { RULES } from '../../../src/rules/index.js';
import { aReport } from '../a-report.js';
import { readPages, textOf } from './read-pages.js';
import { notRecomputed } from './recomputed.js';

type Tpp = Report['verdict']['tpps'][number];

async function dossierOf(report: Report): Promise<Buffer> {
  return renderDossier(report, await attachedFiles(report, `${JSON.stringify(report, null, 2)}\n`));
}
const pagesOf = async (report: Report) => readPages(await dossierOf(report));
const wordsOf = async (report: Report) => (await pagesOf(report)).map(textOf);

const verdictOf = (
  report: Report,
  tpp: string | null,
  name: string | null,
  more: Partial<Tpp> = {},
): Tpp => ({
  ...{ ...report.verdict.tpp, tpp, name, exchanges: 3, violated: [] },
  ...more,
});

function withTpps(names: readonly string[]): Report {
  const report = aReport();
  const [tpp] = report.tpps;
  if (tpp === undefined) throw new Error('no TPP');
  const tpps = names.map((name, i) => ({ ...tpp, id: `PSDBE-NBB-00000000${i}`, name }));
  const verdicts = tpps.map(({ id, name }, i) =>
    verdictOf(report, id, name, {
      rules: { ...report.verdict.tpp.rules, mustViolated: i, complied: 40 + i },
      sentence: `${name} was judged.`,
    }),
  );
  return { ...report, tpps, verdict: { ...report.verdict, tpps: verdicts } };
}

const REPORTS: readonly (readonly [string, () => Report])[] = [
  ['of one TPP', () => withTpps(['Example Payments BV'])],
  ['of three TPPs', () => withTpps(['One', 'Two', 'Three'])],
  [
    'with many rows, of which some are left out',
    () => {
      const report = withTpps(['Example Payments BV']);
      const many = <T>(list: readonly T[], of: number) =>
        Array.from({ length: of }, (_, i) => list[i % list.length] as T);
      return {
        ...report,
        findings: many(report.findings, 90),
        gaps: many([{ kind: 'untried', what: 'Never.', mend: 'Try.', times: 0 }], 60),
      };
    },
  ],
];

describe('the numbers of the three pages', () => {
  it.each(REPORTS)(
    '%s follow from the attached JSON, by a script that knows only its schema',
    async (_, make) => {
      expect(notRecomputed(await dossierOf(make()))).toEqual([]);
    },
  );
});

describe('names', () => {
  const GREEK = 'Ελληνική Τράπεζα Πληρωμών και Υπηρεσιών Ανώνυμη Εταιρεία '.repeat(6).slice(0, 300);
  const BULGARIAN = 'Българска платежна институция за разплащания акционерно дружество '
    .repeat(5)
    .slice(0, 300);

  it.each([GREEK, BULGARIAN, 'x'.repeat(300)])(
    'of 300 characters stand in full on three pages: %.20s',
    async (name) => {
      const pages = await wordsOf(withTpps([name]));
      expect(pages).toHaveLength(3);
      expect(pages[0]?.replaceAll(/\s/g, '')).toContain(name.replaceAll(/\s/g, ''));
      expect(pages[0]).not.toContain('□');
    },
  );

  it('that no font has are shown as what they are: not there', async () => {
    const [first = ''] = await wordsOf(withTpps(['支付 Payments']));
    expect(first).toContain('□□ Payments');
    expect(first).toContain('□ stands for a character that cannot be shown here (U+4ED8, U+652F)');
  });

  it('cannot turn or hide text', async () => {
    const bytes = await dossierOf(withTpps(['safe \u202egnp.exe\u0007\u200b name\ud800']));
    expect(textOf(readPages(bytes)[0] ?? [])).toContain('safe □gnp.exe□□ name□');
    const heads = [...readDossier(bytes).objects.values()].map(({ head }) => head).join('');
    expect(heads).not.toContain('\x20\x2e');
  });
});

describe('shares in per cent', () => {
  it.each([
    [10, 10, '100 %'],
    [999, 1_000, 'over 99 %'],
    [99, 100, '99 %'],
    [1, 3, '33 %'],
    [1, 100_000, '0.0010 %'],
  ])('of %d in %d are %s', async (technical, calls, said) => {
    const report = aReport();
    const services = report.availability.services
      .slice(0, 1)
      .map((one) => ({ ...one, total: { ...one.total, calls, technical, business: 0 } }));
    const { 1: page = [] } = await pagesOf({ ...report, availability: { ...report.availability, services } });
    expect(page.filter(({ tag }) => tag === 'TD').map(({ text }) => text)).toContain(said);
  });
});

describe('how long', () => {
  it.each([
    [900, '900 ms'],
    [59_999, '59 s'],
    [47 * 60_000 + 59_000, '47 min'],
    [89 * 60_000, '1 h 29 min'],
    [7_200_000, '2 h'],
    [95_400_000, '1 d 2 h'],
  ])('%d ms of unavailability are never said to be longer: %s', async (atLeastMs, said) => {
    const report = aReport();
    const services = report.availability.services.map((one) => ({
      ...one,
      total: { ...one.total, unavailable: { periods: 1, atLeastMs, atMostMs: null } },
    }));
    const { 1: page = '' } = await wordsOf({ ...report, availability: { ...report.availability, services } });
    expect(page).toContain(`1 period: at least ${said}, beginning or end not seen`);
    expect(page).toContain('five or more calls of a service in a row');
  });

  it.each([
    [47 * 60_000 + 1, '48 min'],
    [59 * 60_000 + 1, '1 h'],
    [3_600_001, '1 h 1 min'],
    [12, '12 ms'],
  ])('%d ms that it was at most are never said to be shorter: %s', async (atMostMs, said) => {
    const report = aReport();
    const services = report.availability.services.map((one) => ({
      ...one,
      total: { ...one.total, unavailable: { periods: 1, atLeastMs: 10, atMostMs } },
    }));
    const { 1: page = '' } = await wordsOf({ ...report, availability: { ...report.availability, services } });
    expect(page).toContain(`at least 10 ms, at most ${said};`);
  });
});

describe('text of others', () => {
  it.each([
    'Evil /Type /Filespec /UF (report.json)',
    '\u03a9a\u2f54\u7970\u6520\u2f46\u696c\u6573\u7065\u6300',
    '/Type /Sig\n/Contents <00>',
    'a\nendobj\nxref)>>',
  ])('is no part of the structure of the file: %j', async (name) => {
    const { attachments, seal } = readDossier(await dossierOf(withTpps([name])));
    expect([[...attachments.keys()], seal]).toEqual([
      ['report.json', 'report.html', 'availability.csv'],
      null,
    ]);
  });

  it('of any length is cut in the footer at once', async () => {
    const report = aReport();
    const name = 'x'.repeat(100_000);
    const [first = []] = await pagesOf({
      ...report,
      head: { ...report.head, recording: { ...report.head.recording, session: name, name } },
    });
    expect(first.map(({ text }) => text)).toContainEqual(expect.stringMatching(/x{50,}…/));
  });
});

describe('a dossier', () => {
  it('has three pages, and nothing outside them, whatever is in the report', async () => {
    const report = withTpps(['x'.repeat(300)]);
    const long = 'A very long sentence that goes on for ever '.repeat(30);
    const many = <T>(list: readonly T[]) => Array.from({ length: 200 }, (_, i) => list[i % list.length] as T);
    const row = { key: 'x', label: long, done: 1 };
    const outcomes = {
      success: 1,
      refusedByPsu: 0,
      timeout: 0,
      wrongCredentials: 0,
      bankError: 0,
      refused: 0,
      injected: 0,
      open: 0,
    };
    const full: Report = {
      ...report,
      head: { ...report.head, purpose: long, preparedBy: long, madeFor: long },
      verdict: { ...report.verdict, tpps: report.verdict.tpps.map((one) => ({ ...one, sentence: long })) },
      findings: many(report.findings).map((one) => ({ ...one, statement: long, fix: long })),
      gaps: many([{ kind: 'untried', what: long, mend: long, times: 0 }]),
      notTested: many([{ area: 'rules', what: long, why: long }]),
      exercised: { rows: many([{ ...row, outcomes }]) },
    };
    const bytes = await dossierOf(full);
    expect(readPages(bytes)).toHaveLength(3);
    const streams = [...readDossier(bytes).objects.values()].map(
      ({ stream }) => stream?.toString('latin1') ?? '',
    );
    const places = streams
      .filter((stream) => stream.includes(' TJ'))
      .flatMap((stream) => [...stream.matchAll(/^1 0 0 1 ([\d.-]+) ([\d.-]+) Tm$/gm)])
      .map(([, x, y]) => [Number(x), Number(y)] as const);
    expect(places.length).toBeGreaterThan(100);
    for (const [x, y] of places) expect([x >= 50 && x < 545, y > 20 && y < 800]).toEqual([true, true]);
  });

  it('leaves rows out before it cuts what is to be done', async () => {
    const report = withTpps(['Example Payments BV']);
    const [finding] = report.findings;
    const longest = RULES.toSorted((a, b) => b.fix.length - a.fix.length).slice(0, 30);
    const findings = longest.map(
      ({ statement, fix }) => ({ ...finding, statement, fix }) as NonNullable<typeof finding>,
    );
    const gaps: Report['gaps'] = longest.map(({ statement, fix }) => ({
      kind: 'graver',
      what: statement,
      mend: fix,
      times: 1,
    }));
    const [, , third = []] = await pagesOf({ ...report, findings, gaps });
    const cells = third.filter(({ tag }) => tag === 'TD').map(({ text }) => text);
    for (const { statement, fix } of longest.slice(0, 2)) {
      const [what, mend] = [cells.indexOf(statement), cells.indexOf(fix)];
      expect([what >= 0, mend]).toEqual([true, what + 1]);
    }
    expect(third.map(({ text }) => text)).toContainEqual(expect.stringMatching(/^and \d+ more/));
  });

  it('leaves no gap beside a long value', () => {
    const pairs = (...values: string[]) => values.map((value) => ['Label', value] as const);
    const heightOf = (...columns: (readonly (readonly [string, string])[])[]) =>
      layPage([{ kind: 'pairs', columns }], { width: (words) => words.length * 5, has: () => true })[0]
        ?.height;
    const [long, short] = [pairs('a long value '.repeat(12)), pairs('a', 'b', 'c', 'd')];
    expect(heightOf(long, short)).toBe(heightOf(short));
  });

  it('says of signatures that nobody checked that they were not checked, and not that there are none', async () => {
    const [first = '', , third = ''] = await wordsOf(withTpps(['Example Payments BV']));
    expect(third).toContain('no signature was checked');
    expect(third).toContain('none was checked');
    expect(first).toContain('Nothing shows here that all of it was signed as it was recorded');
  });

  it('calls neither an emulator nor a recording a bank', async () => {
    for (const [answerer, words] of [
      [
        'emulator',
        'Answered by the built-in emulator, which is no bank; this record says nothing of a bank.',
      ],
      ['replay', 'Answered out of a recording'],
      ['nobody', 'Nobody answered a call.'],
    ] as const) {
      const report = withTpps(['Example Payments BV']);
      const [first = ''] = await wordsOf({ ...report, verdict: { ...report.verdict, answerer } });
      expect(first).toContain(words);
      expect(first).not.toContain('The bank deviated');
      expect(first).not.toContain('api.bank.example');
    }
  });

  it('tags headings, lists, and heads of tables; what is not read is marked as such', async () => {
    const pages = await pagesOf(withTpps(['Example Payments BV']));
    const tags = new Set(pages.flat().map(({ tag }) => tag));
    expect([...tags].sort()).toEqual(['Artifact', 'H1', 'H2', 'LBody', 'Lbl', 'P', 'TD', 'TH']);
    for (const [i, page] of pages.entries())
      expect(page.filter(({ tag, text }) => tag === 'Artifact' && text !== '').at(-1)?.text).toContain(
        `${i + 1} of 3`,
      );
  });
});
