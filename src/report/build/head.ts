/** The head of a report: what was judged, how, and what the reader must know of it. */

import { catalogueDigest, RULES } from '../../rules/index.js';
import type { Report } from '../model.js';
import { recipeOf } from '../recipe-of.js';
import type { ReportSource } from '../source.js';
import { order } from './collector.js';
import { windowText } from './daily-limit.js';
import { waiverKey } from './findings.js';

export interface HeadParts {
  readonly version: string;
  readonly madeAt: string | null;
  readonly title: string | null;
  readonly exchanges: number;
  readonly from: string | null;
  readonly to: string | null;
  readonly clock: Report['head']['clock'];
  readonly waived: ReadonlyMap<string, number>;
  readonly notes: readonly string[];
}

export function buildHead(source: ReportSource, parts: HeadParts): Report['head'] {
  const { judgings, inForce, kind, name, session, skipped, notes } = source;
  const { from, to, exchanges } = parts;
  const { judging } = recipeOf(judgings);
  const profiles = [...new Set(judgings.map(({ profile }) => profile))];
  const standard = new Map(RULES.map((rule) => [rule.id, rule.severity[judging.profile]]));
  return {
    title: parts.title ?? `Compliance report: ${session ?? name}`,
    recording: { kind, name, session, from, to, exchanges, skipped: { ...skipped } },
    clock: parts.clock,
    madeAt: parts.madeAt,
    gateway: { name: 'sandgate', version: parts.version },
    profile: {
      judged: judging.profile,
      ...(profiles.length > 1 ? { periods: profiles } : {}),
      recorded: settingsOf(inForce, 'profile'),
      rejudged: source.rejudged,
    },
    stances: settingsOf(inForce, 'stance'),
    sources: settingsOf(inForce, 'source'),
    dailyWindow: [...new Set(judgings.map(({ dailyWindow }) => windowText(dailyWindow)))].join(', then '),
    catalogue: { digest: catalogueDigest(), rules: RULES.length },
    overrides: different(judgings.flatMap(({ overrides }) => Object.entries(overrides)))
      .sort(([a], [b]) => order(a, b))
      .map(([rule, severity]) => ({ rule, severity, standard: standard.get(rule) ?? 'unknown' })),
    waivers: different(judgings.flatMap(({ waivers }) => waivers)).map(({ rule, reason, until, match }) => ({
      rule,
      reason,
      operation: match?.operation ?? null,
      tpp: match?.tpp ?? null,
      path: match?.path ?? null,
      until,
      used: parts.waived.get(waiverKey(rule, reason)) ?? 0,
    })),
    changes: notes.map(({ at, kind, settings }) => ({
      at: new Date(at).toISOString(),
      kind,
      settings: Object.entries(settings)
        .filter(([key, value]) => value !== undefined && value !== null && key !== TOLD_ELSEWHERE)
        .map(([key, value]): [string, string] => [key, textOf(value)]),
    })),
    notes: [...(parts.clock === null ? [] : [parts.clock.sentence]), ...parts.notes],
  };
}

/** Under “Against whom”. */
const TOLD_ELSEWHERE = 'upstreamShown';

/** Values that a setting had while the session was recorded, in order. */
function settingsOf(inForce: ReportSource['inForce'], name: 'profile' | 'stance' | 'source'): string[] {
  return [...new Set(inForce.flatMap((settings) => settings[name] ?? []))];
}

/** Each once, of several periods. */
const different = <T>(all: readonly T[]): T[] => [
  ...new Map(all.map((one) => [JSON.stringify(one), one])).values(),
];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
