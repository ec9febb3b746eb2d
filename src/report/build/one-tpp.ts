/** A report for one TPP holds nothing of the others: neither their exchanges, nor what settings and notes say of them. */

import type { Call, Exchange } from '../../exchange/index.js';
import { createAllowList } from '../../outgoing/index.js';
import { SandgateError } from '../../spec/index.js';
import type { RecordedExchange } from '../../store/index.js';
import type { Judging, Report } from '../model.js';
import type { ReportSource } from '../source.js';
import { membersOf } from './collector.js';
import { waiverKey } from './findings.js';

/** In place of a text that names another TPP. */
export const HIDDEN = 'Left out here: it names another TPP.';

export type Hide = (text: string) => string;

/** Others whose names are remembered. */
const MOST_OTHERS = 10_000;
const MOST_HOSTS = 1_000;
const MOST_TOLD = 20;

/** `see` is told every exchange, in order; `close` gives the source as one for this TPP alone. */
export function openOne(source: ReportSource, tpp: string) {
  const others = new Set(source.judgings.flatMap(namedIn).filter((id) => id !== tpp));
  const own = new Set([tpp]);
  const callers = new Set<string>();
  const hosts = new Set<string>();
  return {
    see({ call }: Exchange, owner: string | null): void {
      const isOwn = owner === tpp;
      if (owner !== null && callers.size < MOST_OTHERS) callers.add(owner);
      const host = isOwn ? notifiedAt(call) : null;
      if (host !== null && hosts.size < MOST_HOSTS) hosts.add(host);
      if (call.tpp === null || (!isOwn && others.size >= MOST_OTHERS)) return;
      const names = isOwn ? own : others;
      names.add(call.tpp);
      const { certificate } = call;
      if (typeof certificate === 'string') return;
      const { fingerprint256, organization, commonName, dnsNames } = certificate;
      for (const name of [fingerprint256, organization, commonName, ...dnsNames])
        if (name !== null) names.add(name);
    },
    isKnown: (): boolean => callers.has(tpp),
    unknown: (): SandgateError =>
      new SandgateError('report.unknown-tpp', {
        tpp,
        known: [...callers].sort().slice(0, MOST_TOLD).join(', ') || 'none',
      }),
    close(): { readonly source: ReportSource; readonly hide: Hide } {
      const hide = hiding([...others].filter((name) => !own.has(name)));
      return {
        hide,
        source: {
          ...source,
          judgings: source.judgings.map((one) => judgingShown(judgingFor(one, tpp), hosts, hide)),
          remarks: source.remarks.map(hide),
        },
      };
    },
  };
}

const namedIn = ({ blockedOrganisations, waivers }: Judging): string[] => [
  ...blockedOrganisations,
  ...waivers.flatMap(({ match }) => match?.tpp ?? []),
];

/** The host at which a simulated notification is asked for. */
function notifiedAt({ content }: Call): string | null {
  const uri = content.kind === 'json' ? membersOf(content.value).tppNotificationUri : undefined;
  return typeof uri === 'string' && URL.canParse(uri) ? new URL(uri).hostname : null;
}

/** Shorter names stand in too many words. */
const SHORTEST_NAME = 3;

function hiding(names: readonly string[]): Hide {
  const parts = names
    .filter(({ length }) => length >= SHORTEST_NAME)
    .map((name) => name.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  if (parts.length === 0) return (text) => text;
  const named = new RegExp(`(?<![\\p{L}\\p{N}])(?:${parts.join('|')})(?![\\p{L}\\p{N}])`, 'iu');
  return (text) => (text !== HIDDEN && named.test(text) ? HIDDEN : text);
}

/** The settings that can bear on this TPP, whoever else they name. */
export const judgingFor = (judging: Judging, tpp: string): Judging => ({
  ...judging,
  blockedOrganisations: judging.blockedOrganisations.filter((id) => id === tpp),
  waivers: judging.waivers.filter(({ match }) => match?.tpp === undefined || match.tpp === tpp),
});

/** The hosts that may be notified are shown as far as it named them. */
function judgingShown(judging: Judging, hosts: ReadonlySet<string>, hide: Hide): Judging {
  const isUsed = (entry: string): boolean => {
    const { hostAllowed } = createAllowList([entry]);
    return [...hosts].some(hostAllowed);
  };
  return {
    ...judging,
    notificationAllow: judging.notificationAllow?.filter(isUsed) ?? null,
    waivers: judging.waivers.map((waiver) => ({ ...waiver, reason: hide(waiver.reason) })),
  };
}

/** Settings of a note that are about no TPP. */
const ABOUT_NOBODY: ReadonlySet<string> = new Set([
  ...[
    'profile',
    'stance',
    'source',
    'segment',
    'bankProfile',
    'laterProfile',
    'dailyWindow',
    'dailyTimeZone',
  ],
  ...[
    'rules',
    'ownRules',
    'retention',
    'catalogue',
    'upstream',
    'upstreams',
    'upstreamPsu',
    'lendCertificate',
  ],
  ...['recordedBy', 'urls', 'importedAt', 'clock', 'world', 'bankHabits', 'followedBy'],
  ...['from', 'to', 'mode', 'speed', 'action', 'step', 'calls'],
]);

const ANOTHERS: Readonly<Record<string, string>> = {
  'accounts/token-belongs-to-tpp': 'a token that was issued to another organisation',
  'accounts/token-belongs-to-consent': 'a token with another scope',
  'oauth/challenge-fresh': 'a value that was used before',
  'oauth/code-used-once': 'a code that was exchanged before',
  'oauth/state-fresh': 'a value that was used before',
};

/** An exchange with its findings as its caller may know them: these rules find values and times of other TPPs, too. */
export const asTold = (record: RecordedExchange): RecordedExchange => ({
  ...record,
  findings: record.findings.map((finding) => {
    const actual = ANOTHERS[finding.rule];
    return actual === undefined ? finding : { ...finding, actual };
  }),
});

type Shown = Pick<Report, 'head' | 'findings' | 'exchanges' | 'appendix'>;

/** Settings of all, reasons of waivers and ids of faults are texts of the operator, who may name anybody. */
export function hideNamed({ head, findings, exchanges, appendix }: Shown, hide: Hide): Shown {
  const hidden = (text: string | null): string | null => (text === null ? null : hide(text));
  const isOfAll = ([key, text]: readonly [string, string]): boolean =>
    ABOUT_NOBODY.has(key) && hide(text) === text;
  return {
    head: {
      ...head,
      changes: head.changes.map((one) => ({ ...one, settings: one.settings.filter(isOfAll) })),
    },
    findings: findings.map((group) => ({
      ...group,
      occurrences: group.occurrences.map((one) => ({ ...one, waived: hidden(one.waived) })),
    })),
    exchanges: Object.fromEntries(
      Object.entries(exchanges).map(([id, one]) => [id, { ...one, injected: hidden(one.injected) }]),
    ),
    appendix: {
      ...appendix,
      exchanges: appendix.exchanges.map((row) => ({ ...row, injected: hidden(row.injected) })),
    },
  };
}

/** Faults that met its calls; others may be set for others. */
export const faultsShown = (faults: Report['head']['faults'], hide: Hide): Report['head']['faults'] =>
  faults.filter(({ calls }) => calls > 0).map((one) => ({ ...one, fault: hide(one.fault) }));

/** How often waivers were used, by their reasons as they are shown. */
export function waivedShown(waived: ReadonlyMap<string, number>, hide: Hide): Map<string, number> {
  const shown = new Map<string, number>();
  for (const [key, count] of waived) {
    const [rule = '', ...reason] = key.split('\n');
    const hidden = waiverKey(rule, hide(reason.join('\n')));
    shown.set(hidden, (shown.get(hidden) ?? 0) + count);
  }
  return shown;
}
