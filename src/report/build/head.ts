/** The head of a report: what was judged, how, and what the reader must know of it. */

import { type SessionNote, unrecordedIn, unrecordedText } from '../../exchange/index.js';
import { bankSeverity, catalogueDigest, RULES, type Rule } from '../../rules/index.js';
import { bankProfile, counted, namedProfile, plural, profileText } from '../../spec/index.js';
import type { Judging, Report } from '../model.js';
import { type ReportOptions, type ReportSource, recipeOf } from '../source.js';
import { order } from './collector.js';
import { windowText } from './daily-limit.js';
import { waiverKey } from './findings.js';

type Head = Report['head'];

export function buildHead(
  { judgings, inForce, kind, name, session, skipped, notes, rejudged, ownRules }: ReportSource,
  { version, madeAt, title, purpose, preparedBy, madeFor, tpp }: ReportOptions,
  { from, to, exchanges }: Pick<Head['recording'], 'from' | 'to' | 'exchanges'>,
  clock: Head['clock'],
  waived: ReadonlyMap<string, number>,
  remarks: readonly string[],
): Omit<Head, 'faults'> {
  const { judging } = recipeOf(judgings);
  const lost = unrecordedIn(notes);
  const unrecorded = lost === null ? null : { sentence: unrecordedText(lost), ...lost };
  const profiles = [...new Set(judgings.map(({ profile }) => profile))];
  const own = ownFiles(judgings, ownRules);
  const banks = different(judgings.map(({ bankProfile }) => namedProfile(bankProfile)));
  const standard = new Map([...RULES, ...ownRules].map((rule) => [rule.id, rule.severity[judging.profile]]));
  return {
    title: title ?? usualTitle(session ?? name, tpp),
    purpose: purpose ?? null,
    preparedBy: preparedBy ?? null,
    madeFor: madeFor ?? null,
    recording: { kind, name, session, from, to, exchanges, skipped: { ...skipped } },
    clock,
    unrecorded,
    madeAt: madeAt ?? null,
    gateway: { name: 'sandgate', version },
    profile: {
      judged: judging.profile,
      ...(profiles.length > 1 ? { periods: profiles } : {}),
      recorded: settingsOf(inForce, 'profile'),
      rejudged,
    },
    ...(banks.every(({ digest }) => digest === null) ? {} : { bankProfiles: banks }),
    stances: settingsOf(inForce, 'stance'),
    sources: settingsOf(inForce, 'source'),
    dailyWindow: [...new Set(judgings.map(windowText))].join(', then '),
    catalogue: { digest: catalogueDigest(), rules: RULES.length },
    ...(own.length === 0 ? {} : { ownRules: own }),
    overrides: different(judgings.flatMap(severitiesOf))
      .sort((a, b) => order(a.rule, b.rule))
      .map((one) => ({ ...one, standard: standard.get(one.rule) ?? 'unknown' })),
    waivers: different(judgings.flatMap(({ waivers }) => waivers)).map(({ rule, reason, until, match }) => ({
      rule,
      reason,
      operation: match?.operation ?? null,
      tpp: match?.tpp ?? null,
      path: match?.path ?? null,
      until,
      used: waived.get(waiverKey(rule, reason)) ?? 0,
    })),
    changes: notes.map(({ at, kind, settings }) => ({
      at: new Date(at).toISOString(),
      kind,
      settings: Object.entries(settings)
        .filter(([key, value]) => value !== undefined && value !== null && key !== TOLD_ELSEWHERE)
        .map(([key, value]): [string, string] => [
          key,
          key === 'bankProfile' ? bankText(value) : textOf(value),
        ]),
    })),
    notes: [unrecorded, clock].flatMap((one) => (one === null ? [] : [one.sentence])).concat(remarks),
  };
}

/** The title where its maker gives none. */
export const usualTitle = (recording: string, tpp: string | undefined): string =>
  `Compliance report: ${recording}${tpp === undefined ? '' : `, ${tpp}`}`;

/** Severities other than the catalogue's: of the user, and of the bank's profile with its reason. */
function severitiesOf({
  overrides,
  bankProfile,
}: Judging): Pick<Head['overrides'][number], 'rule' | 'severity' | 'reason'>[] {
  const ofBank = RULES.flatMap(({ id }) => {
    const given = Object.hasOwn(overrides, id) ? undefined : bankSeverity(bankProfile, id);
    return given === undefined ? [] : [{ rule: id, ...given }];
  });
  return [...Object.entries(overrides).map(([rule, severity]) => ({ rule, severity })), ...ofBank];
}

function ownFiles(judgings: readonly Judging[], loaded: readonly Rule[]): NonNullable<Head['ownRules']> {
  const files = different(judgings.flatMap(({ ownRules = [] }) => ownRules));
  return files.map(({ name, digest }) => ({
    file: name,
    digest,
    rules: loaded.filter(({ own }) => own?.file.digest === digest).map(({ id }) => id),
  }));
}

const TOLD_ELSEWHERE = 'upstreamShown';

function settingsOf(inForce: ReportSource['inForce'], name: 'profile' | 'stance' | 'source'): string[] {
  return [...new Set(inForce.flatMap((settings) => settings[name] ?? []))];
}

const different = <T>(all: readonly T[]): T[] => [
  ...new Map(all.map((one) => [JSON.stringify(one), one])).values(),
];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Its name says enough: the profile itself is in the recipe. */
const bankText = (value: unknown): string => {
  const read = bankProfile.safeParse(value);
  return read.success ? profileText(namedProfile(read.data)) : textOf(value);
};

type Clock = NonNullable<Report['head']['clock']>;
type Move = Clock['moves'][number];

/** null: the clock was the machine's all the time. `exchanges`: judged by another time than the machine's. */
export function clockOf(
  notes: readonly SessionNote[],
  exchanges: number,
  all: number,
  most: number,
): Clock | null {
  const moves: Move[] = [];
  for (const note of notes) {
    const move = moveOf(note);
    const before = moves.at(-1);
    // The clock goes on after a restart.
    const isNew = move !== null && (move.from !== null || move.to !== before?.to);
    if (isNew && (isMoved(move) || isMoved(before))) moves.push(move);
  }
  if (moves.length === 0 && exchanges === 0) return null;
  // The time that a session began with was moved to before it.
  const own = moves.filter(({ from }) => from !== null);
  const times = moves
    .flatMap((move, i) => (own.length > 0 && move.from === null ? [] : shown(move, moves[i - 1])))
    .sort();
  const extent = {
    exchanges,
    times: own.length,
    from: times[0] ?? null,
    to: times.at(-1) ?? null,
  };
  return { sentence: sentenceOf(extent, all), ...extent, moves: moves.slice(0, most) };
}

const isMoved = (move: Move | undefined): boolean => move !== undefined && move.mode !== 'real';

/** The times before and behind a move; that of the machine is none of them. */
const shown = (move: Move, before: Move | undefined): string[] =>
  [isMoved(before) ? move.from : null, isMoved(move) ? move.to : null].filter((one) => one !== null);

function moveOf(note: SessionNote): Move | null {
  if (note.kind === 'clock') {
    const { from, to, mode, speed } = note.settings;
    return { at: new Date(note.at).toISOString(), from, to, mode, speed };
  }
  if (note.kind !== 'started' || note.settings.clock === undefined) return null;
  const { now, since, mode, speed } = note.settings.clock;
  return { at: since, from: null, to: now, mode, speed };
}

function sentenceOf({ exchanges, times, from, to }: Omit<Clock, 'sentence' | 'moves'>, all: number): string {
  const judged = `${exchanges} of ${counted(all, 'exchange')} ${plural(exchanges, 'was', 'were')} judged by another time than that of the machine.`;
  const showed = from === to ? `, to ${from}` : `; the moved clock showed ${from} to ${to}`;
  if (times > 0) return `Time was moved ${times === 1 ? 'once' : `${times} times`}${showed}: ${judged}`;
  return `${from === null ? 'Time was moved' : `Time was set to ${from} at the start`}: ${judged}`;
}
