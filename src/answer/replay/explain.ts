/** Explains a miss: the nearest recorded call, what differs, and what the flow needed first. */
import { type Call, type Exchange, textMember } from '../../exchange/index.js';
import type { Finding } from '../../rules/index.js';
import type { Bindings } from './bindings.js';
import type { Field } from './call-fields.js';
import { closestOf, compareCalls } from './differences.js';
import type { Entry } from './entries.js';
import type { Sought } from './find.js';
import { GIVERS, type MatchPlace } from './match-table.js';
import type { Miss, MissDifference } from './miss.js';
import type { Recording } from './open-recording.js';
import type { Picked } from './pick.js';
import type { ReplayParts } from './replay-parts.js';

export type Reason =
  | { readonly kind: 'not-recorded' }
  | {
      readonly kind: 'differs';
      readonly sought: Sought;
      readonly days: number;
      readonly asked?: readonly MissDifference[];
    }
  | Exclude<Picked, { readonly kind: 'entry' }>
  | { readonly kind: 'incomplete'; readonly entry: Entry };

type Differs = Extract<Reason, { kind: 'differs' }>;

const MOST_COMPARED = 2_000;
const MOST_LISTED = 8;
const MOST_RULES = 3;

interface Explanation {
  readonly text: string;
  readonly entry?: Entry;
  readonly differences?: readonly MissDifference[];
  readonly needs?: string | null;
  readonly unknown?: MatchPlace | undefined;
}

export interface Missed {
  readonly reason: Reason;
  readonly handedOn: boolean;
  readonly findings: readonly Finding[];
  /** Why its client may be bound to the wrong recorded one; null where it is not. */
  readonly undecided: string | null;
}

export function createExplainer(
  recording: Recording,
  bindings: Bindings,
  { fingerprint, name: recordingName, lines = [], howToRecord }: ReplayParts,
) {
  const givers = new Map<string, number>();
  let all: string | null = null;

  return (call: Call, { reason, handedOn, findings, undecided }: Missed): Miss => {
    const { method, path } = call.request;
    const {
      text,
      entry,
      differences = [],
      needs = null,
      unknown = null,
    } = explainReason(reason, `${method} ${path}`);
    const line = entry == null ? null : (lines[entry.index] ?? null);
    // A call recorded as it is cannot be missed because of a rule.
    const isOther = reason.kind === 'differs' || reason.kind === 'not-recorded';
    const breaks = isOther ? brokenRules(findings) : [];
    const sentences = [
      breaks.length === 0 ? '' : `The call breaks ${breaks.join('; and ')}.`,
      text,
      undecided ?? '',
      line === null ? '' : `See ${recordingName}:${line}.`,
      handedOn ? '' : howToRecord(reason.kind),
    ];
    const closest = entry == null ? null : { ...namedBy(entry.exchange), line, differences };
    return {
      kind: reason.kind,
      at: call.at,
      ...{ exchange: call.id, method, path },
      text: sentences.filter((sentence) => sentence !== '').join(' '),
      ...{ breaks, closest, unknown, needs, handedOn },
    };
  };

  function explainReason(reason: Reason, name: string): Explanation {
    switch (reason.kind) {
      case 'not-recorded':
        all ??= listed(recording);
        return { text: `The recording has no ${name}. It has ${all}.` };
      case 'differs':
        return explainDifferences(reason, name);
      case 'used-up':
        return {
          text: `All recorded answers to ${name} were given (the last is exchange ${idOf(reason.entry)}); this is one call too many. With --after-last repeat it would get the last one again.`,
          entry: reason.entry,
        };
      case 'incomplete':
        return {
          text: `The answer to ${name} is recorded in part only (exchange ${idOf(reason.entry)}): its body was too large.`,
          entry: reason.entry,
        };
      default:
        return explainOrder(reason, name);
    }
  }

  function explainOrder(reason: Extract<Reason, { write: number }>, name: string): Explanation {
    const write = recording.exchanges[reason.write];
    const label = write === undefined ? 'a write' : `${nameOf(write)} (exchange ${write.call.id})`;
    const early = reason.kind === 'too-early';
    const needs = early
      ? `In the recording ${label} comes before this call; this run has not made it.`
      : `In the recording this call comes only before ${label}, which this run has made already.`;
    const text = `The recording has ${name} (exchange ${idOf(reason.entry)}), but not at this point. ${needs}`;
    return { text, entry: reason.entry, needs };
  }

  function explainDifferences({ sought, days, asked = [] }: Differs, name: string): Explanation {
    const shift = { from: recording.startDay, days };
    const closest = closestOf(sought.group.queues.slice(0, MOST_COMPARED), sought, shift);
    if (closest === null) return { text: `The recording has no ${name}.` };
    const { differences: ofFields, places } = compareCalls(closest, sought, shift, bindings, fingerprint);
    const differences = [...ofFields, ...asked];
    const entry = closest.all.entries[0] as Entry;
    const first = differences
      .slice(0, 3)
      .map(({ place, expected, got }) => `${place}: expected ${expected}, found ${got}`);
    const more = differences.length > 3 ? `; and ${differences.length - 3} more` : '';
    const needs = places.map((field) => needOf(field, entry)).find((one) => one !== null) ?? null;
    const text = `The recording has no such ${name}. Closest is ${nameOf(entry.exchange)} (exchange ${idOf(entry)}): ${first.join('; ')}${more}.${needs === null ? '' : ` ${needs}`}`;
    const unknown = places.find(({ as, value }) => as === 'bind' && recording.handed.has(value));
    return { text, entry, differences, needs, unknown: unknown?.place };
  }

  /** Who gave the value that was recorded, or ought to have. */
  function needOf({ place, value, as }: Field, entry: Entry): string | null {
    if (as !== 'bind') return null;
    const giver = giverOf(value, entry.index);
    const usual = GIVERS[place];
    if (giver === null) {
      return usual === undefined ? null : `The recording has no ${usual} before this call that gives it.`;
    }
    const exchange = recording.exchanges[giver] as Exchange;
    const label = `${nameOf(exchange)} (exchange ${exchange.call.id})`;
    return (recording.entryAt.get(giver)?.uses ?? 0) > 0
      ? `${label} gave it in this run: send what it gave.`
      : `In the recording ${label} comes first and gives it; this run has not made that call.`;
  }

  /** The whole recording is looked through, so once for each value. */
  function giverOf(value: string, before: number): number | null {
    let index = givers.get(value);
    if (index === undefined) {
      index = recording.exchanges.findIndex((exchange) => gives(exchange, value, recording));
      givers.set(value, index);
    }
    return index >= 0 && index < before ? index : null;
  }
}

function brokenRules(findings: readonly Finding[]): string[] {
  const counting = findings.filter(
    ({ judges, severity, waived }) => judges === 'tpp' && severity !== 'note' && waived === undefined,
  );
  const rank = ({ severity }: Finding): number => (severity === 'must' ? 0 : 1);
  const ordered = counting.toSorted((a, b) => rank(a) - rank(b)).slice(0, MOST_RULES);
  return ordered.map(({ rule, place, expected, actual }) => {
    const got = actual === undefined ? '' : `, found ${actual}`;
    return `${rule}: ${place}: expected ${expected}${got}`;
  });
}

function gives(exchange: Exchange, value: string, { scopes }: Recording): boolean {
  const { answer } = exchange;
  if (answer === null || answer.status >= 400) return false;
  const { body, header } = answer;
  if (body?.text.includes(value) === true || header.location?.includes(value) === true) return true;
  // Tokens are matched by what they give access to.
  const token = textMember(answer.content, 'access_token');
  return token !== undefined && scopes.of(token) === value;
}

const namedBy = ({ call: { id, request } }: Exchange) => ({
  exchange: id,
  method: request.method,
  path: request.path,
});

export function nameOf({ call: { request } }: Exchange): string {
  return `${request.method} ${request.path}`;
}

function idOf({ exchange }: Entry): string {
  return exchange.call.id;
}

function listed({ groups }: Recording): string {
  const all = [...groups.values()].flatMap(({ queues }) => {
    const [first] = queues[0]?.all.entries ?? [];
    const size = queues.reduce((sum, { all: { entries } }) => sum + entries.length, 0);
    return first === undefined ? [] : [{ name: nameOf(first.exchange), size }];
  });
  const most = all.sort((a, b) => b.size - a.size).slice(0, MOST_LISTED);
  const more = all.length > MOST_LISTED ? ', and others' : '';
  return all.length === 0 ? 'no call at all' : most.map(({ name }) => name).join(', ') + more;
}
