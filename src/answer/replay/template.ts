/** A recorded answer as a template: compiled at first use, rendered for each call. */
import { type Answer, type Body, type HeaderList, openAnswer, readContent } from '../../exchange/index.js';
import type { Bindings } from './bindings.js';
import { moveDate, moveHttpDate } from './dates.js';
import { merged, type Piece, type PieceCutter } from './pieces.js';

export interface TemplateParts {
  readonly cutter: PieceCutter;
  readonly bindings: Bindings;
  readonly urls: () => { readonly api: string; readonly psu: string };
}

export interface Moment {
  /** How much later than the recording this run is. */
  readonly days: number;
  /** X-Request-ID of the call. */
  readonly requestId: string | undefined;
}

export interface Template {
  readonly render: (moment: Moment) => Answer;
  /** All but headers and times of day, with recorded values under other names. */
  readonly outline: (nameOf: (value: string) => string) => string;
  /** Recorded values that the answer holds. */
  readonly values: readonly string[];
}

type HeaderKind = 'echo' | 'http-date' | readonly Piece[] | null;

/** Of the recorded connection, or of a body that is sent in another coding now. HSTS would bind a browser to localhost. */
const DROPPED = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'content-encoding',
  'upgrade',
  'trailer',
  'strict-transport-security',
  'alt-svc',
]);
const HTTP_DATES = new Set(['date', 'expires', 'last-modified']);
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/;
/** What Node sends; a file may hold anything. */
const VALUE = /^[\t -~\u0080-\u00ff]*$/;

/** `sent`: the X-Request-ID of the recorded call. */
export function compileAnswer(answer: Answer, sent: string | undefined, parts: TemplateParts): Template {
  const headers = answer.headers
    .filter(([name, value]) => isSendable(name, value))
    .map(([name, value]) => [name, value, headerKind(name.toLowerCase(), value, sent, parts)] as const);
  const pieces = cutBody(answer, parts.cutter);
  const live = [...headers.flatMap(([, , kind]) => (Array.isArray(kind) ? kind : [])), ...(pieces ?? [])];
  const fill = createFill(parts);
  let kept: {
    readonly days: number;
    readonly body: Body | null;
    readonly content: Answer['content'];
  } | null =
    pieces === null ? { days: Number.NaN, body: plainBody(answer.body), content: answer.content } : null;

  const bodyOf = (days: number) => {
    if (pieces === null && kept !== null) return kept;
    const bound = live.some((piece) => isBound(piece, parts.bindings));
    if (!bound && kept?.days === days) return kept;
    const text = fill(pieces ?? [], days, answer.content.kind === 'json');
    const body = { text, size: Buffer.byteLength(text) };
    const made = { days, body, content: readContent(body, answer.header['content-type']) };
    kept = bound ? null : made;
    return made;
  };

  return {
    values: live.flatMap((piece) => (typeof piece !== 'string' && piece.kind === 'value' ? piece.value : [])),
    outline: (nameOf) => {
      const texts = (pieces ?? [answer.body?.text ?? '']).map((piece) => {
        if (typeof piece === 'string') return piece;
        if (piece.kind === 'origin') return piece.listener;
        if (piece.kind === 'value') return nameOf(piece.value);
        return piece.text.includes('T') ? 'time' : piece.text;
      });
      return `${answer.status} ${texts.join('')}`;
    },
    render: ({ days, requestId }) => {
      const { body, content } = bodyOf(days);
      const list: HeaderList = headers.map(([name, value, kind]) => {
        if (kind === null) return [name, value];
        if (kind === 'echo') return [name, requestId ?? value];
        return [name, kind === 'http-date' ? moveHttpDate(value, days) : fill(kind, days, false)];
      });
      return openAnswer({ source: 'replay', status: answer.status, headers: list, body }, content);
    },
  };
}

/** Sent as it stands here, whatever coding it had on the wire. */
function plainBody(body: Body | null): Body | null {
  if (body === null) return null;
  const { text, base64 } = body;
  return base64 === true
    ? { text, base64, size: Buffer.byteLength(text, 'base64') }
    : { text, size: Buffer.byteLength(text) };
}

function isSendable(name: string, value: string): boolean {
  const key = name.toLowerCase();
  return !DROPPED.has(key) && !key.startsWith('sandgate-') && NAME.test(name) && VALUE.test(value);
}

function headerKind(name: string, value: string, sent: string | undefined, { cutter }: TemplateParts) {
  if (name === 'x-request-id')
    return (value.toLowerCase() === sent?.toLowerCase() ? 'echo' : null) satisfies HeaderKind;
  if (HTTP_DATES.has(name)) return 'http-date' satisfies HeaderKind;
  return cutter.cut(value, name) satisfies HeaderKind;
}

/** A string of a JSON text, and whether it is the name of a member. */
const STRING = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?/gs;

/** null where the body stays as it is. */
function cutBody({ body, content }: Answer, cutter: PieceCutter): readonly Piece[] | null {
  if (body === null || body.base64 === true || body.text === '') return null;
  if (content.kind !== 'json') return content.kind === 'opaque' ? cutter.cutLoose(body.text) : null;
  const pieces: Piece[] = [];
  let copied = 0;
  let [name, owner] = ['', ''];
  for (const match of body.text.matchAll(STRING)) {
    const [literal, raw = '', colon] = match;
    if (colon !== undefined) {
      // A link is called by the member around its href.
      owner = name;
      name = raw;
      continue;
    }
    const text = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
    const cut = cutter.cut(text, name === 'href' ? owner : name);
    if (cut === null) continue;
    pieces.push(body.text.slice(copied, match.index + 1), ...cut.map(asJson), '"');
    copied = match.index + literal.length;
  }
  return pieces.length === 0 ? null : merged([...pieces, body.text.slice(copied)]);
}

const asJson = (piece: Piece): Piece =>
  typeof piece === 'string' ? JSON.stringify(piece).slice(1, -1) : piece;

function isBound(piece: Piece, bindings: Bindings): boolean {
  if (typeof piece === 'string' || piece.kind === 'origin' || bindings.isEmpty()) return false;
  return bindings.runOf(piece.kind === 'value' ? piece.value : piece.key) !== undefined;
}

function createFill({ bindings, urls }: TemplateParts) {
  const textOf = (piece: Exclude<Piece, string>, days: number): string => {
    if (piece.kind === 'origin') return urls()[piece.listener];
    if (piece.kind === 'date') return bindings.runOf(piece.key) ?? moveDate(piece.text, days);
    const text = bindings.runOf(piece.value) ?? piece.value;
    return piece.encoded ? encodeURIComponent(text) : text;
  };
  return (pieces: readonly Piece[], days: number, asJsonText: boolean): string => {
    let text = '';
    for (const piece of pieces) {
      if (typeof piece === 'string') text += piece;
      else {
        const made = textOf(piece, days);
        text += asJsonText ? JSON.stringify(made).slice(1, -1) : made;
      }
    }
    return text;
  };
}
