/** The forms in which libraries write one and the same body: what a digest was taken of, if not of the body that was sent. */
import { type Content, closingQuote, isJsonType, mediaType } from '../../exchange/index.js';

type Token = string;
/** A JSON value with its texts and numbers as they were written. */
type Json = Token | { readonly names: readonly Token[]; readonly values: readonly Json[] } | readonly Json[];

/** How to say that a text was in this form, and how to bring it there; null: it is as it was sent. */
type Form = readonly [cause: string | null, apply: (text: string) => string];
type Layout = readonly [cause: string | null, write: (value: Json) => string];

interface Style {
  readonly colon: string;
  readonly comma: string;
  readonly indent: string;
  /** Lists stand in one line, in blanks. */
  readonly flatLists?: boolean;
}

const LAYOUTS: readonly (readonly [cause: string, style: Style])[] = [
  ['without blanks between its elements', { colon: ':', comma: ',', indent: '' }],
  ['with blanks behind colons and commas', { colon: ': ', comma: ', ', indent: '' }],
  ['pretty-printed by two blanks', { colon: ': ', comma: ',', indent: '  ' }],
  ['pretty-printed by four blanks', { colon: ': ', comma: ',', indent: '    ' }],
  ['pretty-printed by tabs', { colon: ': ', comma: ',', indent: '\t' }],
  ['pretty-printed by Jackson', { colon: ' : ', comma: ',', indent: '  ', flatLists: true }],
];

function layOut(value: Json, style: Style, depth = 0): string {
  if (typeof value === 'string') return value;
  const isList = 'map' in value;
  const items = isList
    ? value.map((one) => layOut(one, style, style.flatLists === true ? depth : depth + 1))
    : value.names.map(
        (name, i) => `${name}${style.colon}${layOut(value.values[i] ?? 'null', style, depth + 1)}`,
      );
  const [open, close] = isList ? '[]' : '{}';
  if (isList && style.flatLists === true) return items.length === 0 ? '[ ]' : `[ ${items.join(', ')} ]`;
  if (items.length === 0) return style.flatLists === true ? '{ }' : `${open}${close}`;
  if (style.indent === '') return `${open}${items.join(style.comma)}${close}`;
  const line = `\n${style.indent.repeat(depth)}`;
  return `${open}${line}${style.indent}${items.join(`,${line}${style.indent}`)}${line}${close}`;
}

const SPACE = ' \t\n\r';

/** `text` has been parsed as JSON before, and is not nested too deep. */
function readJson(text: string): Json {
  let at = 0;
  const skip = (): void => {
    while (at < text.length && SPACE.includes(text.charAt(at))) at++;
  };
  const token = (): Token => {
    const start = at;
    if (text[at] === '"') at = closingQuote(text, at) + 1;
    else
      while (at < text.length && !',:]}'.includes(text.charAt(at)) && !SPACE.includes(text.charAt(at))) at++;
    return text.slice(start, at);
  };
  const value = (): Json => {
    skip();
    const open = text[at];
    if (open !== '{' && open !== '[') return token();
    at++;
    const names: Token[] = [];
    const values: Json[] = [];
    for (skip(); at < text.length && text[at] !== '}' && text[at] !== ']'; skip()) {
      if (open === '{') {
        names.push(token());
        skip();
        at++;
      }
      values.push(value());
      skip();
      if (text[at] === ',') at++;
    }
    at++;
    return open === '{' ? { names, values } : values;
  };
  return value();
}

function sorted(value: Json): Json {
  if (typeof value === 'string') return value;
  if ('map' in value) return value.map(sorted);
  const order = value.names.map((name, i) => [name, sorted(value.values[i] ?? 'null')] as const);
  order.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return { names: order.map(([name]) => name), values: order.map(([, one]) => one) };
}

const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
const NOT_ASCII = /[\u0080-\uffff]/g;

const ESCAPES: readonly Form[] = [
  [null, (text) => text],
  ['with letters beyond ASCII as \\u escapes', (text) => text.replace(NOT_ASCII, escaped)],
  [
    'with letters beyond ASCII as \\U escapes in capitals',
    (text) => text.replace(NOT_ASCII, (sign) => `\\u${escaped(sign).slice(2).toUpperCase()}`),
  ],
  [
    'without \\u escapes',
    (text) =>
      text.replace(/\\u(00[2-9a-f][0-9a-f]|0[1-9a-f]..|[1-9a-f]...)/gi, (whole, hex: string) => {
        const sign = String.fromCharCode(Number.parseInt(hex, 16));
        return sign === '"' || sign === '\\' ? whole : sign;
      }),
  ],
  ['with slashes as \\/', (text) => text.replace(/(?<!\\)\//g, '\\/')],
  ['without the backslash in \\/', (text) => text.replaceAll('\\/', '/')],
  ['with <, > and & as \\u escapes', (text) => text.replace(/[<>&]/g, escaped)],
];

const LINE_ENDS: readonly Form[] = [
  [null, (text) => text],
  ['with CRLF line ends', (text) => text.replace(/\r?\n/g, '\r\n')],
  ['with LF line ends', (text) => text.replaceAll('\r\n', '\n')],
];

const ENDS: readonly Form[] = [
  [null, (text) => text],
  ['with a newline at the end', (text) => `${text}\n`],
  ['with CRLF at the end', (text) => `${text}\r\n`],
  ['without white space around it', (text) => text.trim()],
];

type Encoding = readonly [cause: string | null, encode: (text: string) => Buffer];
const ENCODINGS: readonly Encoding[] = [
  [null, (text) => Buffer.from(text)],
  ['with a byte order mark', (text) => Buffer.from(`\ufeff${text}`)],
  ['without its byte order mark', (text) => Buffer.from(text.replace(/^\ufeff/, ''))],
  ['in ISO 8859-1', (text) => Buffer.from(text, 'latin1')],
  ['in UTF-16', (text) => Buffer.from(text, 'utf16le')],
];

const OTHERS: readonly (readonly [cause: string, apply: (text: string) => string])[] = [
  ['as a JSON text in quotes', (text) => JSON.stringify(text)],
  ['with %20 for blanks', (text) => text.replaceAll('+', '%20')],
  ['with + for blanks', (text) => text.replaceAll('%20', '+')],
  ['without white space between elements', (text) => text.replace(/>\s+</g, '><')],
  ['in base64', (text) => Buffer.from(text).toString('base64')],
  ['without anything in it', () => ''],
];

export interface BodyForm {
  /** How the text that was used differs from the body: `pretty-printed by tabs, with a newline at the end`. */
  readonly cause: string;
  readonly bytes: Buffer;
}

/** More than this many deviations at once are not looked for. */
const MOST_DEVIATIONS = 3;

/** Other forms of a body, the likelier ones first. */
export function* bodyForms(
  text: string,
  content: Content,
  contentType: string | undefined,
): Iterable<BodyForm> {
  if (text === '') {
    for (const word of ['{}', 'null', '""', '\n', 'undefined', '[]'])
      yield { cause: `of the text ${JSON.stringify(word)} in place of nothing`, bytes: Buffer.from(word) };
    return;
  }
  const isJson = content.kind === 'json' && isJsonType(mediaType(contentType));
  const all: { readonly causes: readonly string[]; readonly write: () => Buffer }[] = [];
  const asSent: JsonForm = [[], () => text];
  for (const [before, form] of isJson ? jsonForms(text, content.value) : [asSent])
    for (const [lineEnd, breakLines] of LINE_ENDS)
      for (const [end, finish] of ENDS)
        for (const [encoding, encode] of ENCODINGS) {
          const causes = [...before, lineEnd, end, encoding].filter((cause) => cause !== null);
          if (causes.length > 0 && causes.length <= MOST_DEVIATIONS)
            all.push({ causes, write: () => encode(finish(breakLines(form()))) });
        }
  for (const [cause, apply] of OTHERS) all.push({ causes: [cause], write: () => Buffer.from(apply(text)) });
  all.sort((a, b) => a.causes.length - b.causes.length);
  for (const { causes, write } of all) yield { cause: causes.join(', '), bytes: write() };
}

/** Written when it is its turn: a search that ends early has laid out nothing for later forms. */
type JsonForm = readonly [causes: readonly (string | null)[], write: () => string];

function jsonForms(text: string, value: unknown): JsonForm[] {
  const read = readJson(text);
  const layouts: readonly Layout[] = [
    [null, () => text],
    ...LAYOUTS.map(([cause, style]): Layout => [cause, (json) => layOut(json, style)]),
  ];
  const forms: JsonForm[] = [];
  for (const [layout, lay] of layouts)
    for (const [escapes, apply] of ESCAPES) forms.push([[layout, escapes], () => apply(lay(read))]);
  const inOrder = sorted(read);
  for (const [layout, lay] of layouts.slice(1))
    forms.push([['with its members sorted', layout], () => lay(inOrder)]);
  forms.push([['serialised again by JSON.stringify'], () => JSON.stringify(value)]);
  forms.push([['serialised again by JSON.stringify, with two blanks'], () => JSON.stringify(value, null, 2)]);
  return forms;
}

export interface TextDifference {
  /** From 0. */
  readonly at: number;
  readonly sent: string;
  readonly used: string;
}

/** The first byte in which what was used differs from what was sent; null: they are the same. */
export function firstDifference(sent: Uint8Array, used: Uint8Array): TextDifference | null {
  let at = 0;
  while (at < sent.length && at < used.length && sent[at] === used[at]) at++;
  if (at === sent.length && at === used.length) return null;
  return { at, sent: byteText(sent[at]), used: byteText(used[at]) };
}

function byteText(byte: number | undefined): string {
  if (byte === undefined) return 'the end';
  return byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `0x${byte.toString(16).padStart(2, '0')}`;
}
