/** A recorded answer as a template: compiled at first use, rendered for each call. */
import { type Answer, type Body, type HeaderList, openAnswer, readContent } from '../../exchange/index.js';
import type { Bindings } from './bindings.js';
import { moveDate, moveHttpDate } from './dates.js';
import type { Entry } from './entries.js';
import { createLinkRewriter } from './links.js';
import type { Recording } from './open-recording.js';
import { createPieceCutter, merged, type Piece, type PieceCutter } from './pieces.js';
import type { ReplayParts } from './replay-parts.js';

export type TemplateOf = ReturnType<typeof createTemplates>;

type Urls = ReplayParts['urls'];
type HeaderKind = 'echo' | 'http-date' | readonly Piece[] | null;

/** These belong to the recorded connection, or to a body that is sent in another coding now. HSTS would bind a browser to localhost. */
const DROPPED =
  /^(?:connection|keep-alive|transfer-encoding|content-(?:length|encoding)|upgrade|trailer|strict-transport-security|alt-svc|sandgate-.*)$/;
const HTTP_DATES = new Set(['date', 'expires', 'last-modified']);
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/;
/** The characters that Node sends; a file may hold others. */
const VALUE = /^[\t -~\u0080-\u00ff]*$/;

export function createTemplates(
  { carried, exchanges }: Recording,
  bindings: Bindings,
  { urls, dialect, recordedDialect = dialect }: ReplayParts,
) {
  const cutter = createPieceCutter(carried, createLinkRewriter(exchanges, dialect, recordedDialect));
  const compiled = new WeakMap<Entry, ReturnType<typeof compileAnswer>>();
  return (entry: Entry) => {
    const known = compiled.get(entry);
    if (known !== undefined) return known;
    const template = compileAnswer(entry, cutter, bindings, urls);
    compiled.set(entry, template);
    return template;
  };
}

function compileAnswer({ answer, exchange }: Entry, cutter: PieceCutter, bindings: Bindings, urls: Urls) {
  const sent = exchange.call.header['x-request-id'];
  const headers = answer.headers
    .filter(([name, value]) => !DROPPED.test(name.toLowerCase()) && NAME.test(name) && VALUE.test(value))
    .map(([name, value]) => [name, value, headerKind(name.toLowerCase(), value, sent, cutter)] as const);
  const pieces = cutBody(answer, cutter);
  const live = [...headers.flatMap(([, , kind]) => (Array.isArray(kind) ? kind : [])), ...(pieces ?? [])];
  const whole = { body: plainBody(answer.body), content: answer.content };
  let kept: (typeof whole & { readonly days: number }) | null = null;

  const isBound = (piece: Piece): boolean => {
    if (typeof piece === 'string' || piece.kind === 'origin') return false;
    return bindings.runOf(piece.kind === 'value' ? piece.value : piece.key) !== undefined;
  };
  const textOf = (piece: Exclude<Piece, string>, days: number): string => {
    if (piece.kind === 'origin') return urls()[piece.listener];
    if (piece.kind === 'date') return bindings.runOf(piece.key) ?? moveDate(piece.text, days);
    const text = bindings.runOf(piece.value) ?? piece.value;
    return piece.encoded ? encodeURIComponent(text) : text;
  };
  const fill = (parts: readonly Piece[], days: number, asJsonText: boolean): string => {
    let text = '';
    for (const piece of parts) {
      if (typeof piece === 'string') text += piece;
      else text += asJsonText ? jsonText(textOf(piece, days)) : textOf(piece, days);
    }
    return text;
  };
  const bodyAt = (days: number): typeof whole => {
    if (pieces === null) return whole;
    const bound = !bindings.isEmpty() && live.some(isBound);
    if (!bound && kept?.days === days) return kept;
    const text = fill(pieces, days, answer.content.kind === 'json');
    const body = { text, size: Buffer.byteLength(text) };
    const made = { days, body, content: readContent(body, answer.header['content-type']) };
    kept = bound ? null : made;
    return made;
  };

  return {
    values: live.flatMap((piece) => (typeof piece !== 'string' && piece.kind === 'value' ? piece.value : [])),
    /** All but headers and times of day, with recorded values under other names. */
    outline: (nameOf: (value: string) => string): string => {
      const texts = (pieces ?? [answer.body?.text ?? '']).map((piece) => {
        if (typeof piece === 'string') return piece;
        if (piece.kind === 'origin') return piece.listener;
        if (piece.kind === 'value') return nameOf(piece.value);
        return piece.text.includes('T') ? 'time' : piece.text;
      });
      return `${answer.status} ${texts.join('')}`;
    },
    render: (days: number, requestId: string | undefined): Answer => {
      const { body, content } = bodyAt(days);
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

function headerKind(name: string, value: string, sent: string | undefined, { cut }: PieceCutter): HeaderKind {
  if (name === 'x-request-id') return value.toLowerCase() === sent?.toLowerCase() ? 'echo' : null;
  return HTTP_DATES.has(name) ? 'http-date' : cut(value, name);
}

/** A string of a JSON text, and whether it is the name of a member. */
const STRING = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?/gs;

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
    const literals = cut.map((piece) => (typeof piece === 'string' ? jsonText(piece) : piece));
    pieces.push(body.text.slice(copied, match.index + 1), ...literals, '"');
    copied = match.index + literal.length;
  }
  return pieces.length === 0 ? null : merged([...pieces, body.text.slice(copied)]);
}

const jsonText = (text: string): string => JSON.stringify(text).slice(1, -1);
