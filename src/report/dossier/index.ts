/** The dossier: three pages in PDF/A-3a that can be handed over, with everything else attached to the same file. */
import { renderCsv } from '../formats/csv.js';
import { htmlBytes } from '../html/page.js';
import type { Report } from '../model.js';
import type { Block } from './blocks.js';
import { drawFooter, drawPage } from './draw.js';
import { FINE, layPage } from './layout.js';
import { createLetters, cutLines } from './letters.js';
import { pageDone } from './page-done.js';
import { pageMissing } from './page-missing.js';
import { pageWho } from './page-who.js';
import { type Attachment, addPage, attach, openPaper } from './paper.js';
import { answered, callers } from './words.js';

export { attach } from './paper.js';
export { differingParts, fillSeal, type ReadDossier, readDossier } from './read-dossier.js';

export interface DossierParts {
  /** The signed statement over the attached files. */
  readonly statement?: Uint8Array | undefined;
  /** Who will seal it, and when, epoch ms: a place is left for the seal. */
  readonly seal?: { readonly by: string; readonly at: number } | undefined;
}

/** The report as JSON, as HTML and in a table: what a statement has to cover. `json` is how it stands, to the byte. */
export async function attachedFiles(report: Report, json: string | Uint8Array): Promise<Attachment[]> {
  return [
    attach(
      {
        name: 'report.json',
        type: 'application/json',
        description: 'The report from which the pages are computed',
        relationship: 'Source',
      },
      json,
    ),
    attach(
      {
        name: 'report.html',
        type: 'text/html',
        description: 'The same report to read, with every finding',
        relationship: 'Alternative',
      },
      htmlBytes(report),
    ),
    attach(
      {
        name: 'availability.csv',
        type: 'text/csv',
        description: 'Availability and speed by day and service',
        relationship: 'Data',
      },
      renderCsv(report),
    ),
  ];
}

/** The same report and parts give the same bytes, but for how well attachments are compressed. */
export async function renderDossier(
  report: Report,
  files: readonly Attachment[],
  parts: DossierParts = {},
): Promise<Buffer> {
  const { statement, seal } = parts;
  const attachments = [...files, ...(statement === undefined ? [] : [statementFile(statement)])];
  const digest = files[0]?.sha256 ?? '';
  const title = `${callers(report)} at ${answered(report)}`;
  const { head } = report;
  const opened = await openPaper({
    title: plain(`Conformity record: ${title}`),
    subject: plain(head.title),
    producer: `Sandgate ${head.gateway.version}`,
    madeAt: head.madeAt,
    attachments,
    sealedAt: seal?.at ?? null,
  });
  const attached = attachments.map(({ name }) => name);
  const sealedBy = seal?.by ?? null;
  const pages = [
    pageWho(report),
    pageDone(report),
    pageMissing(report, { attached, digest, seal: seal ?? null }),
  ];
  for (const [i, blocks] of pages.entries()) {
    drawOne(opened, blocks, footerText(report, digest, sealedBy), `${i + 1} of ${pages.length}`);
  }
  return opened.close();
}

const statementFile = (jws: Uint8Array): Attachment =>
  attach(
    {
      name: 'statement.jws',
      type: 'application/jose',
      description: 'Signed statement of the digests of the attached files',
      relationship: 'Supplement',
    },
    jws,
  );

/** For the properties of the file, where no note can say what was replaced. */
const plain = (words: string): string =>
  createLetters({ has: () => true })
    .clean(words)
    .slice(0, 1_000);

function footerText({ head }: Report, digest: string, sealedBy: string | null): string {
  const { session, name } = head.recording;
  const seal = sealedBy === null ? 'not sealed' : `sealed by ${sealedBy}`;
  return `${session ?? name} · report ${digest.slice(0, 8)}…${digest.slice(-8)} · ${seal}`;
}

const FOOTER_WIDTH = 420;

function drawOne(
  { paper, root, measure }: Awaited<ReturnType<typeof openPaper>>,
  blocks: readonly Block[],
  left: string,
  right: string,
): void {
  const set = layPage(blocks, measure);
  addPage(paper);
  drawPage(paper, root, set);
  const style = { ...FINE.label, weight: 'regular' } as const;
  const width = (words: string) => measure.width(words, style.size, style.weight);
  const line = cutFooter(createLetters(measure).clean(left.slice(0, MOST_FOOTER)), width);
  drawFooter(paper, { ...style, lines: [line] }, { ...style, lines: [right] }, width(right));
}

/** More letters than a footer has room for: each cut is measured, and others may write a name of any length. */
const MOST_FOOTER = 500;

const cutFooter = (words: string, width: (words: string) => number): string =>
  width(words) <= FOOTER_WIDTH ? words : (cutLines([words, ''], 1, FOOTER_WIDTH, width)[0] ?? '');
