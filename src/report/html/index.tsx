/** The report as one HTML file that needs nothing else. */
import { renderToString } from 'preact-render-to-string';
import type { Report } from '../model.js';
import { Page } from './page.js';

/** A whole document; the same report gives the same bytes. */
export function renderHtml(report: Report): string {
  return `<!doctype html>\n${renderToString(<Page report={report} />)}\n`;
}
