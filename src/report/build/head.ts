/** The head of a report: what was judged, how, and what the reader must know of it. */

import { gatewayNotes, type SessionNote } from '../../exchange/index.js';
import { catalogueDigest, RULES } from '../../rules/index.js';
import type { Report } from '../model.js';
import type { ReportSource } from '../source.js';
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
  const { judging, kind, name, session, skipped, notes } = source;
  const { from, to, exchanges } = parts;
  const standard = new Map(RULES.map((rule) => [rule.id, rule.severity[judging.profile]]));
  return {
    title: parts.title ?? `Compliance report: ${session ?? name}`,
    recording: { kind, name, session, from, to, exchanges, skipped: { ...skipped } },
    clock: parts.clock,
    madeAt: parts.madeAt,
    gateway: { name: 'sandgate', version: parts.version },
    profile: {
      judged: judging.profile,
      recorded: settingsOf(notes, 'profile'),
      rejudged: source.rejudged,
    },
    stances: settingsOf(notes, 'stance'),
    sources: settingsOf(notes, 'source'),
    dailyWindow: windowText(judging.dailyWindow),
    catalogue: { digest: catalogueDigest(), rules: RULES.length },
    overrides: Object.entries(judging.overrides)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([rule, severity]) => ({ rule, severity, standard: standard.get(rule) ?? 'unknown' })),
    waivers: judging.waivers.map(({ rule, reason, until, match }) => ({
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
function settingsOf(notes: readonly SessionNote[], name: 'profile' | 'stance' | 'source'): string[] {
  return [...new Set(gatewayNotes(notes).flatMap(({ settings }) => settings[name] ?? []))];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
