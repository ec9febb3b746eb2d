/** Finds the elements of a JSON file's long list by their bytes, so that they are parsed one by one. */
import { brokenJson, parseJsonText } from '../json-text.js';

export interface JsonElements {
  readonly length: number;
  /** Parses one element; where it is no JSON, throws a SandgateError that names the line. */
  readonly at: (index: number) => unknown;
}

export interface JsonFile {
  /** The contents of the file, with 0 in place of each element of its long lists. */
  readonly frame: unknown;
  /** The elements of the list at `log.entries` or `exchanges`; none where there is no such list. `parse` as JSON.parse. */
  readonly elements: (path: LongList, parse?: (text: string) => unknown) => JsonElements;
}

const LONG_LISTS = ['log.entries', 'exchanges'] as const;
type LongList = (typeof LONG_LISTS)[number];

interface Found {
  readonly path: LongList;
  readonly starts: number[];
  readonly ends: number[];
}

export interface SplitOptions {
  readonly chunk?: number;
  /**
   * A line from `{` to `}`, and lines from a `{` to the next `}` that is as far from the margin, are taken for an element
   * without a look at what is between, which is a good deal faster. Where all elements can be parsed, that is what they
   * are. Where one cannot, which is a SyntaxError, the file has to be split without this.
   */
  readonly byLines?: boolean;
}

/** Reads the bytes twice: for the places of the elements now, for each element when it is asked for. */
export function openJsonFile(
  bytes: FileBytes,
  name: string,
  { chunk = 1_048_576, byLines = false }: SplitOptions = {},
): JsonFile {
  const scan = scanBytes(bytes, chunk, byLines);
  const whole = () => bytes.read(0, bytes.size).toString('utf8');
  // No line is reported if the file may have to be split in another way.
  const frame: unknown = byLines ? JSON.parse(scan.frame) : parseJsonText(scan.frame, name, whole);
  const read = windowed(bytes);
  const open = (
    { starts, ends }: Found,
    parse = (text: string): unknown => JSON.parse(text),
  ): JsonElements => ({
    length: starts.length,
    at: (index) => {
      try {
        return parse(read(starts[index] as number, ends[index] as number).toString('utf8'));
      } catch (cause) {
        throw byLines ? cause : brokenJson(whole(), name, cause);
      }
    },
  });
  return {
    frame,
    elements: (path, parse) => {
      const used = scan.lists.findLast((list) => list.path === path);
      // A member may stand twice, and then the last one counts; the others must be JSON all the same.
      for (const list of scan.lists) {
        const { length, at } = open(list);
        if (list !== used) for (let i = 0; i < length; i++) at(i);
      }
      return open(used ?? { path, starts: [], ends: [] }, parse);
    },
  };
}

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
/** The long lists are members of objects down to this depth. */
const DEEPEST = 2;

/**
 * One look at each byte. It does not know what JSON is: the file is JSON where its frame and all elements are, and only
 * there.
 */
function scanBytes(
  bytes: FileBytes,
  chunk: number,
  byLines: boolean,
): { readonly frame: string; readonly lists: Found[] } {
  const lists: Found[] = [];
  const names: string[] = [];
  const string = { from: 0, to: 0 };
  let frame = '';
  let framed = markLength(bytes);
  let depth = 0;
  let list: Found | null = null;
  let level = 0;
  let isElement = false;
  let isString = false;
  let isEscaped = false;

  const stepInList = (found: Found, byte: number, at: number): boolean => {
    if (byte !== COMMA && byte !== CLOSE_LIST && byte !== CLOSE_OBJECT) {
      if (isElement || isSpace(byte)) return isElement;
      isElement = true;
      found.starts.push(at);
      frame += '0';
      return true;
    }
    if (isElement) found.ends.push(at);
    isElement = false;
    if (byte === COMMA) frame += ',';
    else {
      framed = at;
      list = null;
      depth--;
    }
    return false;
  };

  const open = (byte: number, at: number): void => {
    names[depth] = '';
    depth++;
    const path = byte === OPEN_LIST && list === null ? longListAt(names, depth - 1) : undefined;
    if (path === undefined) return;
    list = { path, starts: [], ends: [] };
    lists.push(list);
    level = depth;
    frame += bytes.read(framed, at + 1).toString('utf8');
  };

  const memory = Buffer.allocUnsafeSlow(Math.min(bytes.size, chunk));
  for (let base = framed; base < bytes.size; base += chunk) {
    const buffer = bytes.read(base, Math.min(bytes.size, base + chunk), memory);
    const endOfElement = endsByLines(buffer);
    for (let i = 0; i < buffer.length; i++) {
      let byte = buffer[i] as number;
      if (isString) {
        if (isEscaped) isEscaped = false;
        else {
          while (byte !== QUOTE && byte !== BACKSLASH && ++i < buffer.length) byte = buffer[i] as number;
          if (byte === BACKSLASH) isEscaped = true;
          else if (byte === QUOTE) {
            isString = false;
            if (list === null) string.to = base + i + 1;
          }
        }
        continue;
      }
      if (list !== null && depth === level && !stepInList(list, byte, base + i)) continue;
      if (byLines && list !== null && depth === level && byte === OPEN_OBJECT) {
        const last = endOfElement(i);
        if (last >= 0) {
          i = last;
          continue;
        }
      }
      if (byte === QUOTE) {
        isString = true;
        if (list === null) string.from = base + i;
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) open(byte, base + i);
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth--;
      else if (byte === COLON && list === null && depth <= DEEPEST)
        names[depth - 1] = textOf(bytes.read(string.from, string.to));
    }
  }
  if (list === null) frame += bytes.read(framed, bytes.size).toString('utf8');
  return { frame, lists };
}

function longListAt(names: readonly string[], depth: number): LongList | undefined {
  return LONG_LISTS.find((path) => {
    const parts = path.split('.');
    return parts.length === depth && parts.every((part, i) => part === names[i]);
  });
}

function markLength({ size, read }: FileBytes): number {
  return size >= 3 && read(0, 3).equals(Buffer.from('\uFEFF')) ? 3 : 0;
}

function textOf(literal: Buffer): string {
  try {
    return String(JSON.parse(literal.toString('utf8')));
  } catch {
    return '';
  }
}

const [LINE_END, RETURN] = [0x0a, 0x0d];

/** Asked in their order: where an element that begins there ends, if the lines tell; else -1. */
function endsByLines(buffer: Buffer): (from: number) => number {
  let lineEnd = 0;
  /** The one before goes on behind the buffer: whoever looks for the end of each would do so again and again. */
  let isBehind = false;
  return (from) => {
    if (lineEnd >= 0 && lineEnd <= from) lineEnd = buffer.indexOf(LINE_END, from);
    if (lineEnd < 0 || isBehind) return -1;
    let last = buffer[lineEnd - 1] === RETURN ? lineEnd - 2 : lineEnd - 1;
    if (last > from) {
      if (buffer[last] === COMMA) last--;
      return buffer[last] === CLOSE_OBJECT ? last : -1;
    }
    const before = buffer.lastIndexOf(LINE_END, from);
    if (before < 0) return -1;
    const close = `${buffer.toString('latin1', before, from)}}`;
    const end = buffer.indexOf(close, from, 'latin1');
    isBehind = end < 0;
    return isBehind ? -1 : end + close.length - 1;
  };
}

export interface FileBytes {
  readonly size: number;
  /** `into`: memory that is free to be used for it, where it is large enough. */
  readonly read: (from: number, to: number, into?: Buffer) => Buffer;
}

export function bytesOf(source: Buffer | string | Iterable<string>): FileBytes {
  const all = Buffer.isBuffer(source)
    ? source
    : Buffer.from(typeof source === 'string' ? source : [...source].join(''));
  return { size: all.length, read: (from, to) => all.subarray(from, to) };
}

const WINDOW = 262_144;

/** Elements come in their order, or nearly so: what follows one is read with it. */
function windowed({ size, read }: FileBytes): FileBytes['read'] {
  const memory = Buffer.allocUnsafeSlow(Math.min(size, WINDOW));
  let start = 0;
  let window: Buffer = memory.subarray(0, 0);
  return (from, to) => {
    if (from < start || to > start + window.length) {
      start = from;
      window = read(from, Math.min(size, Math.max(to, from + WINDOW)), memory);
    }
    return window.subarray(from - start, to - start);
  };
}
