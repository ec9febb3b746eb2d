/** Findings as workflow commands of GitHub, which shows each at the line of the test that made the call. */
import { TEST_HEADER } from '../../exchange/index.js';
import { counted } from '../../spec/index.js';
import type { FindingGroup, Occurrence, Report } from '../model.js';
import { callLine, openGroups, placeLine } from './lines.js';

const COMMANDS = { must: 'error', should: 'warning', note: 'notice' } as const;
/** GitHub shows no more of a kind in one step. */
const MOST = 10;

/** A line each, of rules that judge `party` where one is given; first a notice with the verdict. */
export function renderAnnotations(report: Report, party?: FindingGroup['judges']): string {
  const groups = openGroups(report).filter(({ judges }) => party === undefined || judges === party);
  const title = report.head.title;
  return [
    annotation('notice', { title }, report.verdict.sentence),
    ...linesOf('must', MOST, groups, report),
    ...linesOf('should', MOST, groups, report),
    ...linesOf('note', MOST - 1, groups, report),
  ].join('');
}

function linesOf(
  severity: FindingGroup['severity'],
  most: number,
  groups: readonly FindingGroup[],
  { exchanges }: Report,
): string[] {
  const own = groups.filter((group) => group.severity === severity);
  const total = own.reduce((sum, { count, waived }) => sum + count - waived, 0);
  // Each rule once, before any of them twice.
  const listed = own
    .flatMap(({ occurrences, ...group }) =>
      occurrences
        .filter(({ waived }) => waived === null)
        .map((occurrence, turn) => ({ group, occurrence, turn })),
    )
    .sort((a, b) => a.turn - b.turn)
    .slice(0, total > most ? most - 1 : most);
  const left = total - listed.length;
  const lines = listed.map(({ group, occurrence }) => {
    const place = placeIn(exchanges[occurrence.exchange]?.request.headers ?? []);
    const title = `${severity} ${group.rule}`;
    return annotation(COMMANDS[severity], { ...place, title }, textOf(occurrence, group));
  });
  if (left > 0) {
    const text = `${counted(left, 'more finding')} of severity ${severity}: see the report.`;
    lines.push(annotation(COMMANDS[severity], { title: 'Sandgate' }, text));
  }
  return lines;
}

const textOf = (occurrence: Occurrence, { fix }: Pick<FindingGroup, 'fix'>): string =>
  `${callLine(occurrence)}\n${placeLine(occurrence)}\n${fix}`;

/** A client says it of itself: nothing counts that is not of the form. */
function placeIn(headers: readonly (readonly [string, string])[]): { file?: string; line?: string } {
  const [, value = ''] = headers.find(([name]) => name.toLowerCase() === TEST_HEADER) ?? [];
  const [, file, line] = /^([^:\s]+):(\d{1,7})$/.exec(value) ?? [];
  if (file === undefined || line === undefined) return {};
  try {
    return { file: decodeURI(file), line };
  } catch {
    return {};
  }
}

type Properties = Readonly<Record<string, string>>;

/** Recorded text ends neither a value nor the line, so that it never becomes a command of its own. */
function annotation(command: string, properties: Properties, text: string): string {
  const named = Object.entries(properties).map(([name, value]) => `${name}=${escaped(value, /[%\r\n:,]/g)}`);
  return `::${command} ${named.join(',')}::${escaped(text, /[%\r\n]/g)}\n`;
}

const escaped = (text: string, signs: RegExp): string =>
  text.replace(signs, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
