/** A call as a line of a terminal: time, method, path, status, milliseconds, worst finding, address of its page. */
import type { Brief } from '../../admin/exchanges/index.js';
import { directionOf } from '../../exchange/index.js';
import { oneLine } from '../output.js';
import { cut } from '../table.js';

interface CallLineOptions {
  readonly paint: Paint;
  /** In characters; absent in a pipe: nothing is cut then. */
  readonly width?: number | undefined;
  /** Address of the page of the exchange; null where none is known. */
  readonly page: string | null;
}

type Cell = readonly [text: string, colour: Colour | null];

/** Characters of time, method, status and milliseconds, with the gaps between them. */
const FIXED = 29;
const PATH = { least: 12, most: 34 } as const;
/** A narrower terminal shows the id in place of the address, for which half a line would go. */
const WIDE = 120;
const INDENT = 9;

/** The same for programs: one line of JSON, with the address of the page as `report`. */
export function callJson(call: Brief, page: string | null): string {
  return `${JSON.stringify({ ...call, report: page })}\n`;
}

/** With a line end; below it what failed and what to do, where a connection did. */
export function callLine(call: Brief, { paint, width, page }: CallLineOptions): string {
  const link = page === null || (width !== undefined && width < WIDE) ? call.id : page;
  const room = width === undefined ? undefined : Math.max(0, width - FIXED - link.length - 4);
  const pathWidth = room === undefined ? PATH.most : clamp(Math.floor(room / 2), PATH.least, PATH.most);
  const cells: readonly Cell[] = [
    [`${call.at.slice(11, 19)} `, 'dim'],
    [`${oneLine(call.method).padEnd(6)} `, null],
    [fitted(whatOf(call), pathWidth, room !== undefined), null],
    [` ${String(call.status ?? '-').padStart(3)}`, colourOfStatus(call.status)],
    [` ${(call.method === '' ? '' : durationOf(call.ms)).padStart(8)}`, 'dim'],
    ...found(call, room === undefined ? undefined : room - pathWidth),
    [call.injected === null ? '' : `  injected: ${oneLine(call.injected)}`, 'cyan'],
    [`  ${oneLine(link)}`, 'dim'],
  ];
  return `${within(cells, width, paint)}\n${told(call, width, paint)}`;
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

function found(call: Brief, room: number | undefined): Cell[] {
  const { worst, fault, findings } = call;
  const rules = findings.filter(({ waived }) => !waived);
  const first = rules.find(({ severity }) => severity === worst);
  const text =
    first === undefined
      ? fault === 'injected'
        ? ''
        : (fault ?? '')
      : `${first.severity} ${first.rule}${rules.length > 1 ? ` +${rules.length - 1}` : ''}`;
  if (text === '') return [];
  const colour = first === undefined ? 'red' : COLOUR_OF_SEVERITY[first.severity];
  return [[`  ${room === undefined ? oneLine(text) : cut(oneLine(text), Math.max(8, room))}`, colour]];
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

function told({ cause, remedy }: Brief, width: number | undefined, paint: Paint): string {
  if (cause === null) return '';
  const text = oneLine([cause, remedy].filter((one) => one !== null).join(' '));
  return wrapped(text, width === undefined ? undefined : width - INDENT)
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

function within(cells: readonly Cell[], width: number | undefined, paint: Paint): string {
  let left = width ?? Number.POSITIVE_INFINITY;
  return cells
    .map(([text, colour]) => {
      const shown = left < 1 ? '' : cut(text, left);
      left -= [...shown].length;
      return paint(shown, colour);
    })
    .join('');
}

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

const CODES = { dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

type Colour = keyof typeof CODES;
type Paint = (text: string, colour: Colour | null) => string;

export const plain: Paint = (text) => text;
const coloured: Paint = (text, colour) =>
  colour === null || text === '' ? text : `\u001b[${CODES[colour]}m${text}\u001b[0m`;

type Env = Readonly<Record<string, string | undefined>>;

/** NO_COLOR forbids them, FORCE_COLOR asks for them in a pipe too, as help texts have it (commander). */
export function paintFor({ isTTY }: { readonly isTTY?: boolean }, env: Env): Paint {
  return hasColours(isTTY === true, env) ? coloured : plain;
}

function hasColours(isTerminal: boolean, { NO_COLOR, FORCE_COLOR, TERM }: Env): boolean {
  if (NO_COLOR || FORCE_COLOR === '0' || FORCE_COLOR === 'false') return false;
  return FORCE_COLOR ? true : isTerminal && TERM !== 'dumb';
}
