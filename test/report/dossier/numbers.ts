/** Recomputes the numbers of a dossier from its attached JSON and the schema of that alone: nothing of the program is imported. */

// biome-ignore lint/suspicious/noExplicitAny: it reads any report, as a reader's own script would.
type Json = any;

const n = (value: number) => value.toLocaleString('en-GB');
const day = (iso: string) =>
  new Date(iso).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
const share = (part: number, of: number) =>
  of === 0 ? '–' : part === 0 ? '0 %' : `${Number(((100 * part) / of).toPrecision(2))} %`;
const sum = (list: number[]) => list.reduce((a, b) => a + b, 0);
const ms = (value: number | null) => (value === null ? '–' : `${n(Math.round(value))} ms`);

/** For each page, the rows of its tables and lists as far as they hold numbers; `all` may be cut from the end. */
export function numbersOf(
  r: Json,
): { readonly page: number; readonly name: string; readonly rows: string[][] }[] {
  const named = r.verdict.tpps.filter((t: Json) => t.tpp !== null);
  const { rules } = named.length === 1 ? named[0] : r.verdict.tpp;
  const weight: Json = { must: 0, should: 1, note: 2 };
  const open = r.findings
    .filter((f: Json) => f.judges === 'tpp' && f.count > f.waived)
    .sort((a: Json, b: Json) => weight[a.severity] - weight[b.severity] || b.calls - a.calls);
  const calls = (f: Json) => (f.outOf === 0 ? n(f.calls) : `${n(f.calls)} of ${n(f.outOf)}`);
  const cells = (o: Json) =>
    ['success', 'refusedByPsu', 'timeout', 'wrongCredentials', 'bankError', 'refused', 'open'].map((key) =>
      o[key] === null ? '' : o[key] === 0 ? '–' : n(o[key]),
    );
  const speed = (s: Json) => (s.count === 0 ? 'not recorded' : `${ms(s.averageMs)}, ${ms(s.p95Ms)}`);
  const { days } = r.dailyLimit;
  return [
    {
      page: 0,
      name: 'four numbers',
      rows: [
        rules.mustViolated,
        rules.shouldViolated,
        rules.complied,
        rules.notApplicable + rules.notObserved,
      ].map((v) => [n(v)]),
    },
    {
      page: 0,
      name: 'each TPP, or the findings',
      rows:
        named.length > 1
          ? named
              .toSorted(
                (a: Json, b: Json) =>
                  b.rules.mustViolated - a.rules.mustViolated ||
                  b.rules.shouldViolated - a.rules.shouldViolated,
              )
              .map((t: Json) =>
                [
                  t.exchanges,
                  t.rules.mustViolated,
                  t.rules.shouldViolated,
                  t.rules.complied,
                  t.rules.notApplicable + t.rules.notObserved,
                ].map(n),
              )
          : open.map((f: Json) => [calls(f), day(f.last)]),
    },
    {
      page: 1,
      name: 'operations',
      rows: r.exercised.rows.map((e: Json) => [
        sum(Object.values(e.outcomes).map(Number)) === 0
          ? '–'
          : n(sum(Object.values(e.outcomes).map(Number))),
        ...cells(e.outcomes),
      ]),
    },
    {
      page: 1,
      name: 'availability',
      rows: r.availability.services.map(({ total: t }: Json) => [
        n(t.calls),
        share(t.technical, t.calls),
        share(t.business, t.calls),
        speed(t.firstByte),
        speed(t.lastByte),
      ]),
    },
    {
      page: 1,
      name: 'daily limit',
      rows: days
        .toSorted((a: Json, b: Json) => b.most - b.allowed - (a.most - a.allowed) || b.refused - a.refused)
        .map((one: Json) => [day(one.day), n(one.most), n(one.allowed), n(one.refused)]),
    },
    {
      page: 1,
      name: 'certificates',
      rows: r.certificates.list
        .toSorted((a: Json, b: Json) => a.daysLeft - b.daysLeft)
        .map((c: Json) => [day(c.notBefore), day(c.notAfter), n(c.daysLeft)]),
    },
    { page: 2, name: 'findings', rows: open.map((f: Json) => [calls(f), day(f.first)]) },
    { page: 2, name: 'gaps', rows: r.gaps.map((g: Json) => [n(g.times)]) },
    {
      page: 2,
      name: 'waivers',
      rows: r.head.waivers
        .toSorted((a: Json, b: Json) => b.used - a.used)
        .map((w: Json) => [day(w.until), n(w.used)]),
    },
  ];
}
