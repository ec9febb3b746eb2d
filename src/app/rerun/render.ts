/** Renders a rerun: as one self-contained HTML page without script, and as JUnit XML, each call a test. */
import { type Html, html, htmlText, styleElement } from '../../answer/index.js';
import { xmlAttribute } from '../../report/index.js';
import { counted, plural } from '../../spec/index.js';
import { operatorText } from './operator-actions.js';
import {
  type CallOutcome,
  type DatedDifference,
  differenceText,
  goneTexts,
  historyText,
  isBreak,
  OUTCOMES,
  type RerunCall,
  type RerunReport,
  sinceText,
} from './result.js';

const STYLE = styleElement(`
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8884; padding: .3rem .6rem; text-align: left; vertical-align: top; }
td.number { text-align: right; }
td > p { margin: 0; }
.wide { overflow-x: auto; } .wide td:nth-child(2) { min-width: 11rem; } .wide td:last-child { min-width: 12rem; }
code, .place { font-family: ui-monospace, monospace; font-size: .9em; overflow-wrap: anywhere; }
.mark { border: 1px solid; border-radius: .3rem; padding: 0 .4rem; white-space: nowrap; }
.breaking { color: #b3261e; font-weight: 600; }
.additive { color: #1257a8; }
.value { color: #855300; }
.same { color: #1d6b2f; }
@media (prefers-color-scheme: dark) {
  .breaking { color: #ff9b92; } .additive { color: #9ec6ff; } .value { color: #ffcf7d; } .same { color: #8fdc9f; }
}
details { margin: .2rem 0; } summary { cursor: pointer; }
`);

const MEANING: Readonly<Record<CallOutcome, string>> = {
  breaking: 'a client that relied on the recorded answer may fail',
  additive: 'something was added',
  value: 'another value',
  noise: 'differs from run to run',
  same: 'no difference',
  sent: 'sent, not compared',
  skipped: 'not sent, or nothing to compare it with',
};

export function renderHtml(report: RerunReport): string {
  const { recording, against, at, calls, counts } = report;
  const title = `${recording} against ${against}`;
  const compared = calls.length - counts.skipped - counts.sent;
  const verdict = `${counts.breaking} of ${counted(compared, 'compared call')} ${plural(counts.breaking, 'breaks', 'break')}.`;
  const left =
    calls.length === compared
      ? ''
      : ` ${calls.length - compared} of ${counted(calls.length, 'call')} were not compared.`;
  const page = html`<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>${STYLE}</head>
<body><main>
<h1>${title}</h1>
<p class="${counts.breaking === 0 ? 'same' : 'breaking'}">${verdict}${left}${historyText(report)}</p>
<p>Sent on <time datetime="${at}">${at.replace('T', ' ').slice(0, 19)} UTC</time>.</p>
<p>${operatorText(report.operators)}</p>
${goneTexts(report).map((text) => html`<p>Gone: ${text}</p>\n`)}<h2>In numbers</h2>
<table><thead><tr><th scope="col">Result</th><th scope="col">Calls</th><th scope="col">Meaning</th></tr></thead><tbody>
${OUTCOMES.map(
  (outcome) =>
    html`<tr><td>${mark(outcome)}</td><td class="number">${counts[outcome]}</td><td>${MEANING[outcome]}</td></tr>\n`,
)}</tbody></table>
<h2>Call by call</h2>
<div class="wide" role="region" tabindex="0" aria-label="Call by call"><table><thead><tr><th scope="col">#</th><th scope="col">Call</th><th scope="col">Status</th><th scope="col">Result</th><th scope="col">Differences</th></tr></thead><tbody>
${calls.map(callRow)}</tbody></table></div>
</main></body></html>
`;
  return `<!doctype html>\n${htmlText(page)}`;
}

const mark = (outcome: CallOutcome): Html => html`<span class="mark ${outcome}">${outcome}</span>`;

function callRow({ number, method, path, was, now, outcome, reason, differences }: RerunCall): Html {
  const status = was === now ? String(was ?? '–') : `${was ?? '–'} → ${now ?? '–'}`;
  const noise = differences.filter((one) => one.class === 'noise');
  const telling = differences.filter((one) => one.class !== 'noise');
  return html`<tr><td class="number">${number}</td><td><code>${`${method} ${path}`.trim()}</code></td><td>${status}</td>
<td>${mark(outcome)}</td><td>${reason !== undefined && html`<p>${reason}</p>`}${list(telling)}${
    noise.length > 0 && html`<details><summary>${noise.length} of noise</summary>${list(noise)}</details>`
  }</td></tr>
`;
}

function list(differences: readonly DatedDifference[]): Html | false {
  if (differences.length === 0) return false;
  return html`<ul>${differences.map(
    ({ class: kind, what, place, was, now, since }) =>
      html`<li class="${kind}">${kind}: <span class="place">${place}</span> ${
        what === 'added' ? 'is new:' : what === 'gone' ? 'is gone, it was' : 'was'
      } ${what === 'added' ? false : html`<code>${was}</code>`}${
        what === 'added' ? html`<code>${now}</code>` : now !== '' && html`, now <code>${now}</code>`
      }${sinceText(since)}</li>\n`,
  )}</ul>`;
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

export function renderJunit(report: RerunReport): string {
  const { calls, counts, recording, against, at } = report;
  const time = seconds(calls.reduce((sum, { took }) => sum + took.now, 0));
  const skipped = counts.skipped + counts.sent;
  const failures = calls.filter(({ differences }) => differences.some(isBreak)).length;
  const numbers = `tests="${calls.length}" failures="${failures}" errors="0" skipped="${skipped}" time="${time}"`;
  const properties = [
    ['recording', recording],
    ['against', against],
    ['operators', operatorText(report.operators)],
    ...OUTCOMES.map((outcome) => [outcome, String(counts[outcome])]),
  ].map(
    ([name = '', value = '']) =>
      `      <property name="${xmlAttribute(name)}" value="${xmlAttribute(value)}"/>\n`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `<testsuites name="sandgate rerun" ${numbers}>\n`,
    `  <testsuite name="${xmlAttribute(`${recording} against ${against}`)}" ${numbers} timestamp="${at.slice(0, 19)}">\n`,
    `    <properties>\n${properties.join('')}    </properties>\n`,
    ...calls.map(renderCase),
    '  </testsuite>\n</testsuites>\n',
  ].join('');
}

function renderCase(call: RerunCall): string {
  const { number, attempt, operation, method, path, took } = call;
  // A name that stands twice counts as one test on many servers.
  const name = `${number} ${method} ${path}${attempt === 1 ? ' (cut)' : ''}`.trim();
  const head = `    <testcase classname="${xmlAttribute(operation ?? 'unknown')}" name="${xmlAttribute(name)}" time="${seconds(took.now)}"`;
  const inside = insideOf(call);
  return inside === '' ? `${head}/>\n` : `${head}>\n${inside}    </testcase>\n`;
}

function insideOf({ outcome, reason, differences }: RerunCall): string {
  if (outcome === 'skipped' || outcome === 'sent')
    return `      <skipped message="${xmlAttribute(reason ?? 'sent only because other calls need it')}"/>\n`;
  const lines = (breaks: boolean) => differences.filter((one) => isBreak(one) === breaks).map(differenceText);
  const [breaking, others] = [lines(true), lines(false)];
  const failure =
    breaking.length === 0
      ? ''
      : `      <failure message="${xmlAttribute(breaking[0] ?? '')}" type="breaking">${xmlAttribute(breaking.join('\n'))}</failure>\n`;
  const rest =
    others.length === 0 ? '' : `      <system-out>${xmlAttribute(others.join('\n'))}</system-out>\n`;
  return failure + rest;
}
