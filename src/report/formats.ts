/** The formats of a report: how each is rendered and what its file is called. */
import { extname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { renderCsv } from './formats/csv.js';
import { jsonBytes, jsonChunks } from './formats/json.js';
import { renderJunit } from './formats/junit.js';
import { renderMarkdown } from './formats/markdown.js';
import { renderSarif } from './formats/sarif.js';
import type { Report } from './model.js';

interface RenderOptions {
  /** The file in which the signed statement stands that covers this one: HTML names it. */
  readonly statement?: string;
}

type Rendered = string | Buffer;

interface FormatRow {
  readonly file: string;
  readonly render: (report: Report, options: RenderOptions) => Rendered | Promise<Rendered>;
}

export const FORMATS = {
  html: {
    file: 'report.html',
    // Only loaded when asked for: it brings the pages and their pictures.
    render: async (report, options) => gathered((await import('./html/page.js')).htmlChunks(report, options)),
  },
  json: { file: 'report.json', render: (report) => gathered(jsonChunks(report)) },
  junit: { file: 'report.junit.xml', render: renderJunit },
  markdown: { file: 'report.md', render: renderMarkdown },
  pdf: {
    file: 'conformity-record.pdf',
    // Only loaded when asked for: it brings the fonts, and the pages that are attached.
    render: async (report) => {
      const { attachedFiles, renderDossier } = await import('./dossier/index.js');
      return renderDossier(report, await attachedFiles(report, jsonBytes(report)));
    },
  },
  sarif: { file: 'report.sarif', render: renderSarif },
  csv: { file: 'availability.csv', render: renderCsv },
} as const satisfies Record<string, FormatRow>;

/** A gateway that makes a long report answers calls in between. */
async function gathered(chunks: Iterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for (const chunk of chunks) {
    all.push(chunk);
    await nextTurn();
  }
  return Buffer.concat(all);
}

export type Format = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS) as Format[];

const BY_EXTENSION = new Map<string, Format>([
  ...FORMAT_NAMES.map((format) => [extname(FORMATS[format].file), format] as const),
  ['.htm', 'html'],
]);

export const formatOf = (file: string): Format | null =>
  BY_EXTENSION.get(extname(file).toLowerCase()) ?? null;

/** Text, but for the dossier. */
export async function renderReport(
  report: Report,
  format: Exclude<Format, 'pdf'>,
  options?: RenderOptions,
): Promise<string>;
export async function renderReport(
  report: Report,
  format: Format,
  options?: RenderOptions,
): Promise<Rendered>;
export async function renderReport(
  report: Report,
  format: Format,
  options: RenderOptions = {},
): Promise<Rendered> {
  const { render }: FormatRow = FORMATS[format];
  const rendered = await render(report, options);
  return format === 'pdf' ? rendered : rendered.toString();
}

/** The file of a report: the text of a long one would take several times as much memory. */
export async function reportBytes(
  report: Report,
  format: Format,
  options: RenderOptions = {},
): Promise<Buffer> {
  const { render }: FormatRow = FORMATS[format];
  const rendered = await render(report, options);
  return typeof rendered === 'string' ? Buffer.from(rendered) : rendered;
}
