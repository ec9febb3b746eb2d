/** A call as a line of a terminal: time, method, path, status, milliseconds, who answered, reason, id. */
import type { Brief } from '../../admin/exchanges/index.js';
import { directionOf } from '../../exchange/index.js';
import { oneLine } from '../output.js';
import { cut } from '../table.js';

interface CallLineOptions {
  readonly paint: Paint;
  /** In characters; absent in a pipe: nothing is cut then. */
  readonly width?: number | undefined;
  /** Address of the page of the exchange, to which its id leads; null where none is known. */
  readonly page: string | null;
}

type Cell = readonly [text: string, colour: Colour | null];

/** Characters of time, method, status and milliseconds, with the gaps between them. */
const FIXED = 29;
const PATH = { least: 12, most: 34 } as const;
/** Characters of who answered, with a gap; a narrower terminal needs them for the reason. */
const WHO = 10;
const WIDE = 120;
const INDENT = 9;

/** The same for programs: one line of JSON, with the address of the page as `report`. */
export function callJson(call: Brief, page: string | null): string {
  return `${JSON.stringify({ ...call, report: page })}\n`;
}

/** With a line end; below it what failed and what to do, where a connection did, and the reason where it has no room beside. */
export function callLine(call: Brief, { paint, width, page }: CallLineOptions): string {
  const id = oneLine(call.id);
  const isWide = width === undefined || width >= WIDE;
  const room =
    width === undefined ? undefined : Math.max(0, width - FIXED - (isWide ? WHO : 0) - id.length - 2);
  const pathWidth = room === undefined ? PATH.most : clamp(Math.floor(room / 2), PATH.least, PATH.most);
  const { sign, reason, rule } = whyOf(call);
  const cells: readonly Cell[] = [
    [`${call.at.slice(11, 19)} `, 'dim'],
    [`${oneLine(call.method).padEnd(6)} `, null],
    [fitted(whatOf(call), pathWidth, room !== undefined), null],
    [` ${String(call.status ?? '-').padStart(3)}`, colourOfStatus(call.status)],
    [` ${(call.method === '' ? '' : durationOf(call.ms)).padStart(8)}`, 'dim'],
    [isWide ? `  ${oneLine(call.source ?? '').padEnd(WHO - 2)}` : '', 'dim'],
    [call.sender === null ? '' : '  by Sandgate', 'cyan'],
    [call.injected === null ? '' : `  injected: ${oneLine(call.injected)}`, 'cyan'],
    sign,
    ...(isWide ? [reason, rule] : []),
  ];
  // The id ends the line, whatever there is to say before it.
  const shown = within(cells, width === undefined ? undefined : width - id.length - 2);
  const free = width === undefined ? 0 : Math.max(0, width - id.length - 2 - lengthOf(shown));
  const text = shown.map(([one, colour]) => paint(one, colour)).join('');
  const below =
    call.cause === null ? (isWide ? '' : `${reason[0]}${rule[0]}`) : `${call.cause} ${call.remedy ?? ''}`;
  return `${text}${' '.repeat(free)}  ${paint(id, 'dim', page)}\n${linesBelow(below, width, paint)}`;
}

function whatOf({ method, path, listener }: Brief): string {
  if (method === '') return `no call (${listener})`;
  return `${directionOf(listener) === 'to-tpp' ? 'to TPP ' : ''}${shortPath(path)}`;
}

/** Without the beginning that all paths share, and with the beginnings of long ids. */
function shortPath(path: string): string {
  return path
    .replace(/^\/[^/]+\/v\d+(?=\/)/, '')
    .replace(/[^/]{17,}/g, (part) => (/\d/.test(part) ? `${part.slice(0, 8)}…` : part));
}

function fitted(text: string, width: number, isCut: boolean): string {
  const shown = oneLine(text);
  return (isCut ? cut(shown, width) : shown).padEnd(width);
}

/** The reason before the rule: where there is no room for both, the rule is cut. */
function whyOf({
  worst,
  fault,
  reason,
  findings,
}: Brief): Readonly<Record<'sign' | 'reason' | 'rule', Cell>> {
  const open = findings.filter(({ waived }) => !waived);
  const first = open.find(({ severity }) => severity === worst);
  const more = open.length > 1 ? ` +${open.length - 1}` : '';
  const said = fault === null || first !== undefined ? (reason ?? '') : '';
  return {
    sign:
      first === undefined
        ? [fault === null || fault === 'injected' ? '' : `  ${fault}`, 'red']
        : [`  ${first.severity}${more}`, COLOUR_OF_SEVERITY[first.severity]],
    reason: [said === '' ? '' : `${first === undefined ? ' ' : ''} ${oneLine(said)}`, null],
    rule: [first === undefined ? '' : `  ${oneLine(first.rule)}`, 'dim'],
  };
}

const COLOUR_OF_SEVERITY = { must: 'red', should: 'yellow', note: 'dim' } as const;

function colourOfStatus(status: number | null): Colour {
  if (status === null || status >= 500) return 'red';
  if (status >= 400) return 'yellow';
  return status >= 300 ? 'cyan' : 'green';
}

function durationOf(ms: number): string {
  if (ms >= 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

function linesBelow(text: string, width: number | undefined, paint: Paint): string {
  const words = oneLine(text).trim();
  if (words === '') return '';
  return wrapped(words, width === undefined ? undefined : width - INDENT)
    .map((line) => `${' '.repeat(INDENT)}${paint(line, 'yellow')}\n`)
    .join('');
}

function wrapped(text: string, width = Number.POSITIVE_INFINITY): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

function within(cells: readonly Cell[], width = Number.POSITIVE_INFINITY): readonly Cell[] {
  let left = width;
  return cells.map(([text, colour]) => {
    const shown = left < 1 ? '' : cut(text, left);
    left -= [...shown].length;
    return [shown, colour];
  });
}

const lengthOf = (cells: readonly Cell[]): number => cells.reduce((sum, [text]) => sum + [...text].length, 0);
const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

const CODES = { dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

type Colour = keyof typeof CODES;
/** `link`: the address that the text leads to, where the terminal can follow it. */
type Paint = (text: string, colour: Colour | null, link?: string | null) => string;

export const plain: Paint = (text) => text;
const coloured: Paint = (text, colour, link = null) => {
  const painted = colour === null || text === '' ? text : `\u001b[${CODES[colour]}m${text}\u001b[0m`;
  return link === null ? painted : `\u001b]8;;${oneLine(link)}\u001b\\${painted}\u001b]8;;\u001b\\`;
};

type Env = Readonly<Record<string, string | undefined>>;

/** NO_COLOR forbids them, FORCE_COLOR asks for them in a pipe too, as help texts have it (commander). */
export function paintFor({ isTTY }: { readonly isTTY?: boolean }, env: Env): Paint {
  return hasColours(isTTY === true, env) ? coloured : plain;
}

function hasColours(isTerminal: boolean, { NO_COLOR, FORCE_COLOR, TERM }: Env): boolean {
  if (NO_COLOR || FORCE_COLOR === '0' || FORCE_COLOR === 'false') return false;
  return FORCE_COLOR ? true : isTerminal && TERM !== 'dumb';
}
