/** Reads the pages of a dossier as a screen reader would: each tag with its text, in the order of the page. */
import { readDossier } from '../../../src/report/dossier/index.js';

export interface Piece {
  /** `H1`, `TD`, …; `Artifact` for what is not read. */
  readonly tag: string;
  readonly text: string;
}

/** For each page, its pieces. */
export function readPages(bytes: Uint8Array): Piece[][] {
  const { objects } = readDossier(bytes);
  const headOf = (number: number) => objects.get(number)?.head ?? '';
  const streamOf = (number: number) => objects.get(number)?.stream?.toString('latin1') ?? '';
  const refer = (head: string, member: string) => Number(new RegExp(`/${member} (\\d+) 0 R`).exec(head)?.[1]);
  const fonts = new Map<string, string[]>();
  const pages = [...objects]
    .filter(([, { head }]) => head.includes('/Type /Page\n'))
    .sort(([a], [b]) => a - b);
  for (const [, page] of pages) {
    const resources = headOf(refer(page.head, 'Resources')) || page.head;
    for (const [, name = '', number] of resources.matchAll(/\/(F\d+) (\d+) 0 R/g))
      fonts.set(name, readMap(streamOf(refer(headOf(Number(number)), 'ToUnicode'))));
  }
  return pages.map(([, page]) => readPieces(streamOf(refer(page.head, 'Contents')), fonts));
}

/** The text of each glyph. */
function readMap(map: string): string[] {
  const texts: string[] = [];
  for (const [, list = ''] of map.matchAll(/<[0-9a-f]{4}> <[0-9a-f]{4}> \[([^\]]*)\]/gi))
    for (const [, units = ''] of list.matchAll(/<([^>]*)>/g))
      texts.push(String.fromCharCode(...units.split(' ').map((unit) => Number.parseInt(unit || '0', 16))));
  return texts;
}

function readPieces(content: string, fonts: ReadonlyMap<string, readonly string[]>): Piece[] {
  const pieces: { tag: string; lines: string[] }[] = [];
  let font: readonly string[] = [];
  for (const line of content.split('\n')) {
    const tag = /\/(\w+) .*(?:BDC|BMC)$|^\/(\w+) <<$/.exec(line);
    if (tag !== null) pieces.push({ tag: tag[1] ?? tag[2] ?? '', lines: [] });
    const chosen = fonts.get(/^\/(F\d+) /.exec(line)?.[1] ?? '');
    if (chosen !== undefined) font = chosen;
    if (!line.endsWith(' TJ')) continue;
    const glyphs = [...line.matchAll(/<([0-9a-f]+)>/g)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? []);
    pieces.at(-1)?.lines.push(glyphs.map((glyph) => font[Number.parseInt(glyph, 16)] ?? '?').join(''));
  }
  return pieces.map(({ tag, lines }) => ({ tag, text: lines.join(' ').replace(/ +/g, ' ').trim() }));
}

/** What is read of a page, without footers and lines. */
export const textOf = (pieces: readonly Piece[]): string =>
  pieces
    .filter(({ tag }) => tag !== 'Artifact')
    .map(({ text }) => text)
    .join('\n');
