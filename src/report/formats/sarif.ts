/** The report as SARIF 2.1.0, for tools that collect findings of many checkers. */
import { hash } from 'node:crypto';
import { isOwnRule } from '../../rules/index.js';
import { counted, plural } from '../../spec/index.js';
import { placeKey } from '../build/baseline.js';
import { placeOf } from '../build/findings.js';
import type { CitedExchange, FindingGroup, Occurrence, Report } from '../model.js';
import { basis, callLine, ownRuleLines, placeLine, waiverLines } from './lines.js';
import { plain } from './markdown.js';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
const LEVELS = { must: 'error', should: 'warning', note: 'note' } as const;

export function renderSarif(report: Report): string {
  const { head, findings, verdict } = report;
  const { level, sentence, head: end, gaps } = report.evidence;
  const index = new Map(findings.map(({ rule }, i) => [rule, i]));
  const run = {
    tool: {
      driver: {
        name: 'Sandgate',
        semanticVersion: head.gateway.version,
        rules: findings.map(ruleOf),
        properties: { catalogueDigest: head.catalogue.digest, catalogueRules: head.catalogue.rules },
      },
    },
    automationDetails: { id: runOf(report) },
    invocations: [invocationOf(report)],
    results: findings.flatMap((group) =>
      group.occurrences.map((occurrence) => resultOf(group, occurrence, index.get(group.rule) ?? -1, report)),
    ),
    columnKind: 'utf16CodeUnits',
    properties: {
      ...(head.bankProfiles === undefined ? {} : { bankProfiles: head.bankProfiles }),
      verdict: {
        tpp: verdict.tpp.outcome,
        tpps: verdict.tpps.map(({ tpp, name, outcome, sentence }) => ({ tpp, name, outcome, sentence })),
        aspsp: verdict.aspsp.outcome,
        answerer: verdict.answerer,
        sentence: verdict.sentence,
      },
      evidence: { level, sentence, head: end, gaps },
    },
  };
  return `${JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, null, 2)}\n`;
}

function runOf({ head, recipe }: Report): string {
  const of = [head.recording.name, head.profile.judged, recipe.tpp ?? []].flat();
  return `sandgate/${of.map(encodeURIComponent).join('/')}`;
}

function invocationOf({ head, findings }: Report) {
  const { from, to } = head.recording;
  const cut = findings.filter(({ omitted }) => omitted > 0);
  return {
    executionSuccessful: true,
    ...(from === null ? {} : { startTimeUtc: from }),
    ...(to === null ? {} : { endTimeUtc: to }),
    toolExecutionNotifications: [
      ...[
        ...waiverLines(head).map((line) => `Waived: ${line}.`),
        ...ownRuleLines(head).map((line) => `Own rules: ${line}.`),
        ...head.notes,
      ].map((text) => ({
        level: 'note',
        message: { text },
      })),
      ...cut.map(({ rule, omitted }) => ({
        level: 'note',
        message: {
          text: `${counted(omitted, 'more finding')} of ${rule} ${plural(omitted, 'is', 'are')} counted but not listed.`,
        },
        associatedRule: { id: rule },
      })),
    ],
  };
}

function ruleOf(group: FindingGroup) {
  const { rule, severity, judges, statement, why, fix, clauses, sources, examples } = group;
  const link = sources.find((source) => source.link !== null)?.link ?? null;
  const quoted = clauses.map(({ section, text }) => `${section}: ${text}`);
  return {
    id: rule,
    name: nameOf(rule),
    shortDescription: { text: `${statement}.` },
    fullDescription: { text: [`${statement}.`, why, ...quoted].join(' ') },
    help: {
      text: `${fix} Source: ${basis(group)}`,
      markdown: `${plain(fix)}\n\nSource: ${plain(basis(group))}`,
    },
    ...(link === null ? {} : { helpUri: link }),
    defaultConfiguration: { level: LEVELS[severity] },
    properties: {
      severity,
      judges,
      examples,
      tags: ['PSD2', ...(isOwnRule(rule) ? ['own'] : []), rule.split('/', 1)[0] ?? ''],
    },
  };
}

/** `accounts/within-daily-limit` as tools show it: `AccountsWithinDailyLimit`. */
const nameOf = (rule: string): string =>
  rule.replaceAll(/(?:^|[/-])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

function resultOf(group: FindingGroup, occurrence: Occurrence, ruleIndex: number, report: Report) {
  const { at, exchange, requestId, tpp, operation, place } = occurrence;
  const cited = report.exchanges[exchange];
  const state = baselineState(group, occurrence, report.baseline);
  return {
    ruleId: group.rule,
    ruleIndex,
    level: LEVELS[group.severity],
    kind: 'fail',
    message: { text: `${callLine(occurrence)}. ${placeLine(occurrence)}. ${group.fix}` },
    locations: [locationOf(occurrence, report)],
    partialFingerprints: {
      'finding/v1': hash(
        'sha256',
        `${placeKey({ rule: group.rule, operation, place })}\n${tpp ?? ''}`,
        'hex',
      ),
    },
    ...(cited === undefined ? {} : wireOf(cited, occurrence)),
    ...(occurrence.waived === null
      ? {}
      : { suppressions: [{ kind: 'external', status: 'accepted', justification: occurrence.waived }] }),
    ...(state === null ? {} : { baselineState: state }),
    properties: { exchange, at, requestId, tpp, operation, judges: group.judges },
  };
}

/** The recording stands for a file; the exchange and the place in it are what a reader looks for. */
function locationOf({ exchange, operation, place }: Occurrence, { head: { recording } }: Report) {
  const name = recording.name.split(/[/\\]/).map(encodeURIComponent).join('/');
  const uri = recording.kind === 'store' ? `sessions/${name}` : name;
  return {
    physicalLocation: { artifactLocation: { uri }, region: { startLine: 1 } },
    logicalLocations: [
      {
        name: place,
        fullyQualifiedName: `${operation ?? 'unknown'}/${exchange}/${place}`,
        kind: 'member',
      },
    ],
  };
}

function baselineState(
  { rule }: FindingGroup,
  { operation, place }: Occurrence,
  baseline: Report['baseline'],
): 'new' | 'unchanged' | null {
  if (baseline === null) return null;
  const key = placeKey({ rule, operation, place: placeOf(place) });
  return baseline.new.some((one) => placeKey(one) === key) ? 'new' : 'unchanged';
}

function wireOf({ request, answer }: CitedExchange, { method, status }: Occurrence) {
  const [, target = ''] = request.startLine.split(' ');
  return {
    webRequest: {
      protocol: 'HTTP',
      version: '1.1',
      target,
      method,
      headers: headersOf(request.headers),
      ...(request.body === null ? {} : { body: { text: request.body } }),
    },
    ...(answer === null || status === null
      ? {}
      : {
          webResponse: {
            protocol: 'HTTP',
            version: '1.1',
            statusCode: status,
            headers: headersOf(answer.headers),
            ...(answer.body === null ? {} : { body: { text: answer.body } }),
          },
        }),
  };
}

/** Joins the values of one name; `__proto__` is a name like others. */
function headersOf(headers: readonly (readonly [string, string])[]): Record<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of headers) {
    const known = values.get(name);
    values.set(name, known === undefined ? value : `${known}, ${value}`);
  }
  return Object.fromEntries(values);
}
