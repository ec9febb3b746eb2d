/** The trend as Markdown, for a comment: rules that were violated, session by session. */
import { counted } from '../../spec/index.js';
import { code, plain } from '../formats/markdown.js';
import { changeText, periodText, sessionTitle } from './lines.js';
import type { Trend, TrendAvailability, TrendCell, TrendRule } from './model.js';

const MOST_RULES = 40;
/** A comment is not wider: the newest ones are shown. */
const MOST_SESSIONS = 12;

export function renderTrendMarkdown({ head, sessions, rules, tpps, availability }: Trend): string {
  const from = Math.max(0, sessions.length - MOST_SESSIONS);
  const shown = sessions.slice(from);
  const found = rules.filter(({ change }) => change !== 'complied' && change !== 'not-tested');
  const complied = rules.filter(({ change }) => change === 'complied').length;
  const row = (rule: TrendRule): string =>
    `| ${changeText(rule.change)} | ${code(rule.rule)} | ${rule.severity} | ${rule.history.slice(from).map(cellText).join(' | ')} |`;
  const titles = shown.map((session, at) => sessionTitle(session, from + at));
  const table = (of: readonly TrendRule[]): string[] => [
    `| now | rule | severity | ${titles.join(' | ')} |`,
    `|---|---|---|${titles.map(() => '---|').join('')}`,
    ...of.slice(0, MOST_RULES).map(row),
    ...(of.length > MOST_RULES ? ['', `${counted(of.length - MOST_RULES, 'more rule')}.`] : []),
  ];
  const lines = [
    `## ${plain(head.title)}`,
    '',
    `${periodText(sessions)}: ${counted(sessions.length, 'session')}. ${counted(found.length, 'rule')} violated in one of them, ${complied} complied with whenever tested.`,
    '',
    ...shown.map(
      ({ name, exchanges }, at) => `${from + at + 1}. ${code(name)}, ${counted(exchanges, 'exchange')}`,
    ),
    '',
    ...(found.length === 0 ? [] : [...table(found), '']),
    ...tpps.flatMap(({ id, name, rules: own }) =>
      own.length === 0 ? [] : [`### ${plain(name ?? id)} (${code(id)})`, '', ...table(own), ''],
    ),
    ...weekLines(availability),
    ...head.notes.map((note) => `- ${plain(note)}`),
  ];
  return `${lines.join('\n')}\n`;
}

function cellText({ outcome, violated, complied }: TrendCell): string {
  if (outcome === 'violated') return `❌ ${violated}`;
  if (outcome === 'waived') return `waived ${violated}`;
  return outcome === 'complied' ? `✅ ${complied}` : '–';
}

const MOST_WEEKS = 26;

function weekLines({ weeks }: TrendAvailability): string[] {
  if (weeks.length === 0) return [];
  const rows = weeks.slice(-MOST_WEEKS).map(({ week, service, calls, technical, lastByte }) => {
    const [average, p95] = [lastByte.averageMs, lastByte.p95Ms].map((ms) => ms ?? '–');
    return `| ${week} | ${service} | ${calls} | ${technical} | ${average} | ${p95} |`;
  });
  return [
    '| week of | service | calls | failed technically | average ms | p95 ms |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ];
}
