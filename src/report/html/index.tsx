/** Renders the report as one self-contained HTML file. */
import { renderToString } from 'preact-render-to-string';
import type { Report } from '../model.js';
import { Page } from './page.js';

/** A whole document; the same report gives the same bytes. `statement`: the file of the statement that signs it. */
export function renderHtml(report: Report, { statement }: { statement?: string } = {}): string {
  return `<!doctype html>\n${renderToString(<Page report={report} statement={statement ?? null} />)}\n`;
}
