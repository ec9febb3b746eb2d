/** Findings grouped by rule, with as many occurrences as the caps allow, and excerpts of the exchanges they cite. */
import type { Body, Content, Exchange, HeaderList, Injection } from '../../exchange/index.js';
import { type Finding, GRAVITY, type Rule } from '../../rules/index.js';
import { curlLine } from '../code.js';
import type { Caps, CitedExchange, Excerpt, FindingGroup, Occurrence } from '../model.js';
import { order, type Seen } from './collector.js';
import { ruleOrder, ruleText } from './rule-text.js';
import { type Counted, figuresOf } from './rules.js';

type Spread = FindingGroup['operations'][number];

interface Group {
  severity: Finding['severity'];
  readonly judges: Finding['judges'];
  count: number;
  waived: number;
  readonly spread: Map<string, Spread>;
  readonly occurrences: Occurrence[];
}

const OTHER_PLACES = 'other places';

export function collectFindings(caps: Caps, own: readonly Rule[]) {
  const groups = new Map<string, Group>();
  const cited: Record<string, CitedExchange> = {};
  const waived = new Map<string, number>();
  return {
    take(seen: Seen): void {
      for (const finding of seen.record.findings) {
        const group = groups.get(finding.rule) ?? openGroup(groups, finding);
        // If the settings changed within the session, the gravest severity counts.
        if (GRAVITY[finding.severity] < GRAVITY[group.severity]) group.severity = finding.severity;
        countFinding(group, finding, seen, caps);
        if (finding.waived !== undefined) {
          const key = waiverKey(finding.rule, finding.waived);
          waived.set(key, (waived.get(key) ?? 0) + 1);
        }
        if (group.occurrences.length >= caps.occurrences) continue;
        const { exchange } = seen.record;
        cited[exchange.call.id] ??= citeExchange(exchange);
        group.occurrences.push(occurrenceOf(finding, group, seen));
      }
    },
    finish: (counted: Counted) => ({
      groups: [...groups]
        .map(([rule, group]) => closeGroup(rule, group, own, counted))
        .sort(
          (a, b) =>
            GRAVITY[a.severity] - GRAVITY[b.severity] ||
            ruleOrder(a.rule) - ruleOrder(b.rule) ||
            order(a.rule, b.rule),
        ),
      cited,
      waived,
    }),
  };
}

export const waiverKey = (rule: string, reason: string): string => `${rule}\n${reason}`;

function openGroup(groups: Map<string, Group>, { rule, severity, judges }: Finding): Group {
  const group = { severity, judges, count: 0, waived: 0, spread: new Map(), occurrences: [] };
  groups.set(rule, group);
  return group;
}

function countFinding(group: Group, finding: Finding, { record }: Seen, caps: Caps): void {
  const waived = finding.waived === undefined ? 0 : 1;
  group.count++;
  group.waived += waived;
  const { operation } = record.exchange.call;
  // The fourth member of a list is the same place as the fifth.
  const named = placeOf(finding.place);
  const key = `${operation} ${named}`;
  const place = group.spread.has(key) || group.spread.size < caps.rows ? named : OTHER_PLACES;
  const spread = group.spread.get(`${operation} ${place}`) ?? { operation, place, count: 0, waived: 0 };
  spread.count++;
  spread.waived += waived;
  group.spread.set(`${operation} ${place}`, spread);
}

/** Drops the indices of list members: `[3]` becomes `[]`. */
export function placeOf(place: string): string {
  return place.includes('[') ? place.replaceAll(/\[\d+\]/g, '[]') : place;
}

function occurrenceOf(finding: Finding, group: Group, { record, at, status }: Seen): Occurrence {
  const { call } = record.exchange;
  return {
    id: `${finding.rule.replaceAll('/', '-')}-${group.occurrences.length + 1}`,
    exchange: call.id,
    at,
    tpp: call.tpp,
    operation: call.operation,
    method: call.request.method,
    path: cutPath(call.request.path),
    requestId: call.header['x-request-id'] ?? null,
    status,
    place: finding.place,
    expected: finding.expected,
    actual: finding.actual ?? null,
    waived: finding.waived ?? null,
  };
}

const LONGEST_PATH = 500;
export const cutPath = (path: string): string =>
  path.length <= LONGEST_PATH ? path : `${path.slice(0, LONGEST_PATH - 1)}…`;

function closeGroup(rule: string, group: Group, own: readonly Rule[], counted: Counted): FindingGroup {
  const { severity, judges, count, waived, spread, occurrences } = group;
  return {
    rule,
    severity,
    judges,
    ...ruleText(rule, own),
    count,
    waived,
    ...figuresOf(counted, rule),
    operations: [...spread.values()].sort(
      (a, b) => order(a.operation ?? '', b.operation ?? '') || order(a.place, b.place),
    ),
    occurrences,
    omitted: count - occurrences.length,
  };
}

const LONGEST_BODY = 2_000;
const LONGEST_VALUE = 500;
const MOST_HEADERS = 60;
/** Larger JSON is shown as it came. */
const LARGEST_PRETTY = 20_000;

export function citeExchange({ call, answer, fault, injected }: Exchange): CitedExchange {
  const { request } = call;
  return {
    id: call.id,
    request: excerptOf(
      `${request.method} ${cut(request.target, LONGEST_BODY)} HTTP/1.1`,
      request.headers,
      request.body,
      call.content,
    ),
    answer:
      answer === null
        ? null
        : excerptOf(`HTTP/1.1 ${answer.status}`, answer.headers, answer.body, answer.content),
    fault: fault === null ? null : `${fault.kind}: ${fault.message}`,
    injected: injected === undefined ? null : injectedText(injected),
    curl: curlLine(call),
  };
}

/** `slow-balances (transport/delay), the answer was held back for 10000 ms`. */
export function injectedText({ fault, kind, did, ms }: Injection): string {
  const whose =
    did === null ? ', the bank was not asked' : did === undefined ? '' : `, the bank answered ${did}`;
  return `${fault} (${kind})${whose}${ms === undefined ? '' : `, the answer was held back for ${ms} ms`}`;
}

function excerptOf(startLine: string, headers: HeaderList, body: Body | null, content: Content): Excerpt {
  const notes: string[] = [];
  if (headers.length > MOST_HEADERS) notes.push(`${headers.length - MOST_HEADERS} more header fields.`);
  return {
    startLine,
    headers: headers
      .slice(0, MOST_HEADERS)
      .map(([name, value]): [string, string] => [cut(name, LONGEST_VALUE), cut(value, LONGEST_VALUE)]),
    body: bodyText(body, content, notes),
    note: notes.length === 0 ? null : notes.join(' '),
  };
}

function bodyText(body: Body | null, content: Content, notes: string[]): string | null {
  if (body === null || body.size === 0) return null;
  if (body.base64 === true) {
    notes.push(`The body is binary, ${body.size} bytes.`);
    return null;
  }
  if (body.truncated === true && body.text === '') {
    notes.push(`The body, ${body.size} bytes, was not recorded.`);
    return null;
  }
  if (body.truncated === true) notes.push(`Only the first part of ${body.size} bytes was recorded.`);
  const pretty = content.kind === 'json' && body.text.length <= LARGEST_PRETTY;
  const text = pretty ? JSON.stringify(content.value, null, 2) : body.text;
  if (text.length > LONGEST_BODY) notes.push(`Cut: the first ${LONGEST_BODY} of ${text.length} characters.`);
  return text.slice(0, LONGEST_BODY);
}

const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1)}…`;
