/** Renders a rehearsal as one page of HTML without script: a grid of squares, and behind each its cell. */
import { basename } from 'node:path';
import { type Html, html, htmlText, styleElement } from '../answer/index.js';
import { counted } from '../spec/index.js';
import { CELLS, type Cell, FAMILIES } from './cells/index.js';
import { journeyOf } from './render-journey.js';
import { liftsOf, SIGNS } from './render-text.js';
import { type CellResult, countsOf, type Rehearsal, VERDICTS, type Verdict } from './result.js';
import { STYLE } from './style.js';

/** Names of the verdicts within a sentence. */
const WORDS: Readonly<Record<Verdict, string>> = {
  handled: 'handled',
  'silently-wrong': 'silently wrong',
  crashed: 'crashed',
  hung: 'hung',
  stranded: 'stranded the customer',
  hammered: 'hammered the bank',
  'not-recovered': 'did not recover',
  'not-run': 'not run',
};
const CLASSES: Readonly<Record<Verdict, string>> = {
  handled: 'ok',
  'silently-wrong': 'bad',
  crashed: 'bad',
  hung: 'warn',
  stranded: 'warn',
  hammered: 'warn',
  'not-recovered': 'warn',
  'not-run': 'none',
};

const slug = (id: string): string => id.replace('/', '-');
const isFailed = ({ verdict }: CellResult): boolean => verdict !== 'handled' && verdict !== 'not-run';

export function renderHtml(rehearsal: Rehearsal): string {
  const { cells, seed, plan, at, ms, session } = rehearsal;
  const counts = countsOf(cells);
  const first = cells.find(isFailed) ?? cells[0];
  const day = new Date(at).toISOString().slice(0, 10);
  const title = headlineOf(cells);
  const page = html`<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${title}</title>${styleElement(STYLE)}</head>
<body><main>
<p class="dim">Rehearsal of <time datetime="${day}">${day}</time> · seed ${seed} · plan ${basename(plan)} · living bank · session ${session} · ${timeText(ms)}</p>
<h1>${title}</h1>
<ul class="sum">${VERDICTS.filter((verdict) => counts[verdict] > 0).map(
    (verdict) => html`<li class="${CLASSES[verdict]}"><b>${counts[verdict]}</b> ${WORDS[verdict]}</li>\n`,
  )}</ul>
<div class="lay"><nav aria-label="Cells by family">
${FAMILIES.flatMap((family) => familyRows(family, cells))}
${legend()}
</nav>
<div class="cells">
${cells.map((cell) => cellSection(cell, cell === first))}
</div></div></main></body></html>
`;
  return `<!doctype html>\n${htmlText(page)}`;
}

function headlineOf(cells: readonly CellResult[]): string {
  const counts = countsOf(cells);
  const ran = cells.length - counts['not-run'];
  const all = `Your application handled ${counts.handled} of ${counted(ran, 'bad day')}.`;
  const wrong = counts['silently-wrong'];
  const times = wrong === 1 ? 'Once' : wrong === 2 ? 'Twice' : `${wrong} times`;
  return wrong === 0 ? all : `${all} ${times} it was wrong and did not notice.`;
}

const timeText = (ms: number): string =>
  ms < 60_000
    ? `${Math.round(ms / 1_000)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;

function familyRows(family: string, cells: readonly CellResult[]): readonly Html[] {
  const own = cells.filter((cell) => cell.family === family);
  if (own.length === 0) return [];
  const squares = own.map(({ id, verdict }) => {
    const name = `${id}: ${WORDS[verdict]}`;
    const sign = verdict === 'handled' ? '' : SIGNS[verdict];
    return html`<li><a class="c ${CLASSES[verdict]}" href="#${slug(id)}" title="${name}" aria-label="${name}">${sign}</a></li>\n`;
  });
  return [
    html`<section class="fam" aria-label="${family}"><h2>${family}</h2><ul>${squares}</ul></section>\n`,
  ];
}

function legend(): Html {
  const by = (name: string) =>
    VERDICTS.filter((verdict) => CLASSES[verdict] === name)
      .map((verdict) => `${SIGNS[verdict]} ${WORDS[verdict]}`)
      .join(', ');
  return html`<p class="leg"><span><i class="ok"></i>handled</span> <span><i class="bad"></i>${by('bad')}</span> <span><i class="warn"></i>${by('warn')}</span> <span><i class="none"></i>${by('none')}</span></p>
<p class="dim">Each square opens its cell.</p>`;
}

const rowOf = (id: string): Cell | undefined => CELLS.find((cell) => cell.id === id);

function cellSection(result: CellResult, isFirst: boolean): Html {
  const { id, verdict, why, calls, saw, differences, ms } = result;
  const cell = rowOf(id);
  return html`<article id="${slug(id)}" class="cell${isFirst && html` first`}" tabindex="-1">
<p><span class="tag ${CLASSES[verdict]}">${WORDS[verdict]}</span> <span class="mono dim">${id}</span></p>
<h2>${cell?.happens}</h2>
<p>${sentence(why)}</p>
${
  differences.length > 0 &&
  html`<table><thead><tr><th scope="col"></th><th scope="col">Your application believes</th><th scope="col">The bank’s books</th></tr></thead><tbody>${differences.map(
    ({ of, believed, booked }) =>
      html`<tr><th scope="row">${of}</th><td>${believed}</td><td>${booked}</td></tr>\n`,
  )}</tbody></table>`
}
${calls.length > 0 && journeyOf(calls)}
${
  saw.length > 0 &&
  html`<details${isFailed(result) && html` open`}><summary>What the PSU, or who asked, saw</summary><ol class="saw">${saw.map(
    ({ action, end, url, text, picture }) =>
      html`<li><b>${action}</b> ${end}<br><span class="mono dim">${url.split('?')[0]}</span>${text !== '' && html`<blockquote>${text.slice(0, 400)}</blockquote>`}${
        isFailed(result) &&
        picture !== undefined &&
        html`<img alt="The page as it was at the end of ${action}" src="data:image/png;base64,${picture}">`
      }</li>\n`,
  )}</ol></details>`
}
<div class="box"><b>What a sound application does</b><br>${cell?.sound}</div>
<dl><dt>Seen in</dt><dd>${cell?.seen}</dd><dt>Steps</dt><dd>${[...(cell?.calm ?? []), ...(cell?.storm ?? [])].join(', ')}. ${liftsOf(cell?.after ?? [])}</dd><dt>Time</dt><dd>${ms} ms</dd></dl>
</article>
`;
}

const sentence = (text: string): string => `${(text[0] ?? '').toUpperCase()}${text.slice(1)}.`;
