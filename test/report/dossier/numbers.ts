/** Recomputes the pages of a dossier from its attached JSON and the schema of that alone: nothing of the program is imported. */

// biome-ignore lint/suspicious/noExplicitAny: it reads any report, as a reader's own script would.
type Json = any;
/** A text, or the rows of a table; of these the last ones may be left out, and `and 3 more` says how many. */
type Block = string | readonly (readonly string[])[];
export type Pieces = readonly { readonly tag: string; readonly text: string }[];

const n = (value: number) => value.toLocaleString('en-GB');
const many = (value: number, one: string) => `${n(value)} ${one}${value === 1 ? '' : 's'}`;
const sum = (list: readonly (number | null)[]) => list.reduce((a: number, b) => a + (b ?? 0), 0);
const day = (iso: string) =>
  new Date(iso).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const time = (iso: string) => `${day(iso)}, ${iso.slice(11, 19)}`;
const span = (a: string, b: string) =>
  `${time(a)} to ${a.slice(0, 10) === b.slice(0, 10) ? b.slice(11, 19) : time(b)} UTC`;
const share = (part: number, of: number) =>
  of === 0 ? '–' : `${part === 0 ? 0 : Number(((100 * part) / of).toPrecision(2))} %`;
const speed = ({ count, averageMs, p95Ms }: Json) =>
  count === 0 ? 'not recorded' : `${n(Math.round(averageMs))} ms, ${n(Math.round(p95Ms))} ms`;
const SIZES = [
  ['d', 864e5],
  ['h', 36e5],
  ['min', 6e4],
  ['s', 1e3],
  ['ms', 1],
] as const;
/** Down to the next whole unit, or up to it: `1 h 29 min`. */
function long(ms: number, round = Math.floor): string {
  const at = Math.max(
    0,
    SIZES.findIndex(([, size]) => ms >= size),
  );
  const least = Math.min(at < 2 ? at + 1 : at, SIZES.length - 1);
  let rest = round(ms / (SIZES[least]?.[1] ?? 1)) * (SIZES[least]?.[1] ?? 1);
  const parts = SIZES.map(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count > 0 ? `${count} ${unit}` : '';
  });
  return parts.filter((part) => part !== '').join(' ') || '0 ms';
}
const SERVICES: Json = {
  AIS: 'Account information',
  PIS: 'Payment initiation',
  CBPII: 'Confirmation of funds',
};
const OUTCOMES = [
  'success',
  'refusedByPsu',
  'timeout',
  'wrongCredentials',
  'bankError',
  'refused',
  'injected',
  'open',
];
const untested = (rules: Json) => rules.notApplicable + rules.notObserved;

/** What each page says, in the order in which it is read. `file`: what the JSON itself cannot tell. */
export function pagesOf(
  r: Json,
  file: { readonly sha256: string; readonly attached: readonly string[] },
): Block[][] {
  const { head, verdict, evidence, availability: seen, certificates } = r;
  const { from, to, exchanges } = head.recording;
  const named = verdict.tpps.filter((t: Json) => t.tpp !== null);
  const own = named.length === 1 ? named[0] : verdict.tpp;
  const nobody = verdict.tpps.find((t: Json) => t.tpp === null);
  const weight: Json = { must: 0, should: 1, note: 2 };
  const open = r.findings
    .filter((f: Json) => f.judges === 'tpp' && f.count > f.waived)
    .sort((a: Json, b: Json) => weight[a.severity] - weight[b.severity] || b.calls - a.calls);
  const calls = (f: Json) => (f.outOf === 0 ? n(f.calls) : `${n(f.calls)} of ${n(f.outOf)}`);
  const cell = (count: number | null) => (count === null ? '' : count === 0 ? '–' : n(count));
  const lasts = r.tpps.length === 1 ? certificates.list.filter((c: Json) => c.tpp === r.tpps[0].id) : [];
  const last = lasts.sort((a: Json, b: Json) => Date.parse(b.notAfter) - Date.parse(a.notAfter))[0];
  const injected = sum(head.faults.map((f: Json) => f.calls));
  const isBank = verdict.answerer === 'bank' || verdict.answerer === 'several';
  return [
    [
      `Conformity record · Sandgate ${head.gateway.version} · ${head.madeAt === null ? 'no date of making' : `made ${time(head.madeAt)} UTC`}`,
      r.tpps.length > 1
        ? `${n(r.tpps.length + r.otherCallers.notListed)} third party providers at ${r.against[0].banks[0] ?? 'a bank that is not named'}`
        : '',
      `${from === null ? 'Nothing was recorded' : `Recorded ${span(from, to)}`} · ${many(exchanges, 'call')} · judged by the rules for ${head.profile.judged === 'production' ? 'production' : 'the sandbox'}`,
      head.unrecorded?.sentence ?? '',
      head.clock?.sentence ?? '',
      last === undefined
        ? ''
        : `${last.use} by ${last.issuer}, ${last.chain.trusted ? 'trusted' : 'not trusted here'}; ends ${day(last.notAfter)}, ${many(Math.abs(last.daysLeft), 'day')} ${last.daysLeft < 0 ? 'before' : 'after'} its last use`,
      ...(r.tpps.length === 1
        ? []
        : r.tpps.length === 0
          ? [n(r.otherCallers.noCertificate), n(r.otherCallers.notObserved)]
          : [
              `${n(r.tpps.length + r.otherCallers.notListed)}, each with a verdict of its own below`,
              n(exchanges - sum(named.map((t: Json) => t.exchanges))),
            ]),
      own.sentence,
      `${n(own.rules.mustViolated)} obligations (must) violated`,
      `${n(own.rules.shouldViolated)} recommendations (should) violated`,
      `${n(own.rules.complied)} rules complied with`,
      `${n(untested(own.rules))} rules not tested`,
      named.length > 1
        ? named
            .toSorted(
              (a: Json, b: Json) =>
                b.rules.mustViolated - a.rules.mustViolated ||
                b.rules.shouldViolated - a.rules.shouldViolated,
            )
            .map((t: Json) => [
              `${t.name}, ${t.tpp}`,
              n(t.exchanges),
              n(t.rules.mustViolated),
              n(t.rules.shouldViolated),
              n(t.rules.complied),
              n(untested(t.rules)),
            ])
        : '',
      nobody === undefined
        ? ''
        : `Calls of nobody known are counted apart: ${many(nobody.exchanges, 'call')}, with ${many(nobody.rules.mustViolated, 'obligation')} and ${many(nobody.rules.shouldViolated, 'recommendation')} violated.`,
      open.map((f: Json) => [f.statement, f.severity, calls(f), day(f.last)]),
      isBank ? verdict.aspsp.sentence : '',
      isBank
        ? r.bankDeviations
            .filter((d: Json) => d.sources.includes('upstream'))
            .map((d: Json) => [d.statement, n(d.count)])
        : [],
    ],
    [
      r.exercised.rows.map((e: Json) => {
        const all = OUTCOMES.map((key) => e.outcomes[key]);
        return [e.label, cell(sum(all)), ...all.map(cell)];
      }),
      injected === 0
        ? ''
        : `Hatched with a dash: not tested in this period. Empty: cannot happen. Injected fault: whoever ran the test let calls fail on purpose (${many(injected, 'call')}); neither the bank nor the third party provider is judged by that.`,
      r.access
        .toSorted(
          (a: Json, b: Json) =>
            Number(b.neverUsed.length > 0) - Number(a.neverUsed.length > 0) || b.consents - a.consents,
        )
        .map((a: Json) => [
          a.label,
          n(a.consents),
          a.askedFor.join(', ') || 'not recorded',
          a.neverUsed.map((u: Json) => `${u.right} in ${n(u.consents)}`).join(', ') ||
            (a.omitted === 0 ? 'all was used' : 'not known'),
        ]),
      seen.services.map(({ service, total: t }: Json) => {
        const { periods, atLeastMs, atMostMs } = t.unavailable;
        const times = `${many(periods, 'period')}: at least ${long(atLeastMs)}, ${atMostMs === null ? 'beginning or end not seen' : `at most ${long(atMostMs, Math.ceil)}`}`;
        const gap = t.longestGapMs === null ? '' : `; longest time without a call ${long(t.longestGapMs)}`;
        return [
          SERVICES[service],
          n(t.calls),
          share(t.technical, t.calls),
          share(t.business, t.calls),
          speed(t.firstByte),
          speed(t.lastByte),
          `${periods === 0 ? 'none seen' : times}${gap}`,
        ];
      }),
      ...seen.services.slice(0, 1).flatMap((s: Json) => bars(s)),
      counted(seen, head.recording.exchanges),
      ...published(seen.published),
      r.dailyLimit.days.length === 0
        ? ''
        : `Counted by ${r.dailyLimit.window[0].toLowerCase()}${r.dailyLimit.window.slice(1)}. Accesses above the limit: ${n(sum(r.dailyLimit.rows.map((row: Json) => row.over)))}.`,
      r.dailyLimit.days
        .toSorted((a: Json, b: Json) => b.most - b.allowed - (a.most - a.allowed) || b.refused - a.refused)
        .map((one: Json) => [day(one.day), n(one.most), n(one.allowed), n(one.refused)]),
      certificates.list.length === 0 && certificates.absent > 0
        ? `${many(certificates.absent, 'call')} came without a certificate.`
        : '',
      certificates.list
        .toSorted((a: Json, b: Json) => a.daysLeft - b.daysLeft)
        .map((c: Json) => [
          `${c.use === 'other' ? '' : `${c.use}: `}${c.subject}`,
          c.issuer,
          day(c.notBefore),
          day(c.notAfter),
          n(c.daysLeft),
        ]),
    ],
    [
      open.map((f: Json) => [f.statement, f.fix, calls(f), day(f.first)]),
      r.gaps.map((g: Json) => [g.what, g.mend, g.times === 0 ? '–' : n(g.times)]),
      r.notTested.map((one: Json) => [one.what, one.why]),
      head.waivers
        .toSorted((a: Json, b: Json) => b.used - a.used)
        .map((w: Json) => [
          r.coverage.rules.find((c: Json) => c.rule === w.rule)?.statement ??
            'A rule that is no longer in the catalogue',
          w.reason,
          day(w.until),
          n(w.used),
        ]),
      [
        [
          'Recording',
          `${head.recording.session ?? head.recording.name}, ${many(exchanges, 'call')}, ${from === null ? 'nothing recorded' : span(from, to)}`,
        ],
        evidence.fileDigest === null
          ? ['Chain ends at', evidence.head === null ? 'no call' : `sha256 ${evidence.head}`]
          : ['File', `sha256 ${evidence.fileDigest}`],
        [
          'Signed by key',
          evidence.witness === null
            ? 'no signature was checked'
            : `sha256 ${evidence.witness.key}, in ${many(evidence.witness.checkpoints, 'checkpoint')}`,
        ],
        ['Time stamps', stamps(evidence.witness?.stamps ?? null)],
        ['Rules', `${many(head.catalogue.rules, 'rule')}, catalogue sha256 ${head.catalogue.digest}`],
        ['Attached', `${file.attached.join(', ')}; report.json has sha256 ${file.sha256}`],
        ['Seal', 'none'],
      ],
    ],
  ];
}

function bars({ service, days, omittedDays }: Json): string[] {
  if (days.length < 2) return [];
  const shown = days.slice(-92);
  const failing = shown.filter((one: Json) => one.unavailable.periods > 0).map((one: Json) => day(one.day));
  const silent = shown.filter((one: Json) => one.calls === 0).length;
  const earlier = days.length - shown.length;
  return [
    `${SERVICES[service]}, calls by day, ${day(shown[0].day)} to ${day(shown.at(-1).day)}; most on one day ${n(Math.max(...shown.map((one: Json) => one.calls)))}; ${failing.length === 0 ? 'none with unavailability' : `unavailable on ${failing.slice(0, 5).join(', ')} (outlined)`}${silent === 0 ? '' : `; no calls seen on ${many(silent, 'day')}`}${earlier === 0 ? '' : `; ${many(earlier, 'earlier day')} in the attached table`}${omittedDays === 0 ? '' : `; ${many(omittedDays, 'day')} too many to follow`}.`,
  ];
}

/** Where each call is counted: the last number is that of the recording. */
const counted = ({ outside: o, services }: Json, all: number): string[][] => [
  ...services.map(({ service, total }: Json) => [`${SERVICES[service]}, by the bank`, n(total.calls)]),
  ...Object.entries({
    'Answered by the built-in emulator': o.emulator,
    'Answered out of a recording': o.replay,
    'Refused by the gateway': o.refused,
    'Kept from the bank by an injected fault': o.injected,
    'Without a known end': o.unknown,
    'Of no service: unknown paths, discovery, tokens of no known consent or payment': o.noService,
    'The bank’s pages for customers': o.pages,
    'Notifications to third party providers': o.callbacks,
    'Connections that never became a call': o.connections,
  })
    .filter(([, calls]) => calls > 0)
    .map(([where, calls]) => [where, n(calls)]),
  ['All calls', n(all)],
];

function published(given: Json): Block[] {
  if (given === null) return [];
  const differing = given.rows.filter((row: Json) => row.differs === true);
  return [
    `The bank’s published statistics (${given.name}): ${many(given.rows.length, 'day')} compared, ${n(differing.length)} ${differing.length === 1 ? 'differs' : 'differ'} from what was seen${given.notSeen === 0 ? '' : `; ${n(given.notSeen)} published for days on which no calls were seen`}.`,
    differing.map(({ published: p, seen: s }: Json) => [
      day(p.day),
      SERVICES[p.service],
      `${p.availability} %`,
      `${s.availabilityFrom === null ? 'less' : `${s.availabilityFrom.toFixed(2)} %`} to ${s.availabilityTo.toFixed(2)} %`,
    ]),
  ];
}

const stamps = (s: Json) =>
  s === null
    ? 'none was checked'
    : `${n(s.shown)} checked, ${n(s.unchecked)} not checked, ${n(s.wanting)} wanting${s.authorities.length === 0 ? '' : `; by ${s.authorities.join('; ')}`}`;

/** Sentences that the JSON holds as such, with the numbers that they may name. */
export const sentencesOf = ({ verdict, notTested, coverage }: Json): [text: string, numbers: number[]][] => [
  ...[verdict.tpp, verdict.aspsp, ...verdict.tpps].map(
    ({ sentence, name, rules }: Json): [string, number[]] => [
      sentence.replaceAll(name ?? '', ''),
      [...Object.values<number>(rules), rules.mustViolated + rules.shouldViolated, verdict.tpps.length],
    ],
  ),
  ...notTested
    .filter((one: Json) => one.area === 'rules')
    .map(({ what }: Json): [string, number[]] => {
      const nameOf = ({ rule }: Json) => rule.split('/')[0];
      const families = [...new Set(coverage.rules.map(nameOf))].map((name) =>
        coverage.rules.filter((one: Json) => nameOf(one) === name),
      );
      const unseen = coverage.rules.filter(({ outcome }: Json) => outcome === 'not-observed').length;
      return [
        what,
        [
          unseen,
          ...families.flatMap((of) => [
            of.length,
            of.filter(({ outcome }: Json) => outcome === 'never-exercised').length,
          ]),
        ],
      ];
    }),
];

/** These say the same on each page, or what a user typed: no number of the record is in them. */
export const FIXED = [
  /^Unavailable: five or more calls .* 30 seconds/,
  /^Evidence: \D*Page 3 says how/,
  /^The three pages are computed from \D*$/,
];

/** The first text that has a number, or stands in a table, and was not recomputed; null where there is none. `typed`: names and ids. */
export function unaccounted(
  pieces: Pieces,
  blocks: readonly Block[],
  typed: readonly string[],
): string | null {
  const squeezed = (text: string) => text.replaceAll(/\s/g, '');
  const isSame = (text = '', wanted: string) =>
    text.endsWith('…')
      ? squeezed(wanted).startsWith(squeezed(text.slice(0, -1)))
      : squeezed(text) === squeezed(wanted);
  const texts = pieces
    .filter(
      ({ tag, text }) =>
        tag === 'TD' ||
        (!['Artifact', 'TH', 'Lbl'].includes(tag) &&
          /\d/.test(typed.reduce((rest, one) => rest.replaceAll(one, ''), text))),
    )
    .map(({ text }) => text)
    .filter((text) => !FIXED.some((one) => one.test(text)));
  let at = 0;
  for (const block of blocks) {
    if (typeof block === 'string') {
      if (isSame(texts[at], block)) at++;
      continue;
    }
    let shown = 0;
    for (; shown < block.length && block[shown]?.every((value, i) => isSame(texts[at + i], value)); shown++)
      at += block[shown]?.length ?? 0;
    if (shown < block.length && texts[at++] !== `and ${n(block.length - shown)} more, in the attached report`)
      return `${block[shown]} and not ${texts[at - 1]}`;
  }
  return texts[at] ?? null;
}
