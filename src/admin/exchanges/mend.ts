/** A recorded request with its findings mended, as it may be sent again: each change is told, and what only the TPP knows. */
import * as z from 'zod';
import {
  bodyOfBytes,
  type Call,
  type Exchange,
  type HeaderList,
  locateMember,
  type Place,
  Request,
  withoutOrigin,
} from '../../exchange/index.js';
import { CLAIMS, MEND_NOTES, MENDS, type MendFacts, mendedForm, TOKEN_TO_FILL } from '../../rules/index.js';
import { bankDateAt, operationRow } from '../../spec/index.js';
import type { RecordedExchange } from '../../store/index.js';
import { named, type Shown } from '../api/schemas.js';
import { gravestFirst } from './brief.js';
import { type Mark, mark, markOf, sentenceOf, textAt } from './sentence.js';

const text = z.string().nullable();

const request = z.object({
  certificate: text.describe('Of the folder of certificates, by its name; null: as recorded.'),
  method: z.string(),
  target: z.string(),
  headers: z
    .array(z.tuple([z.string(), z.string()]))
    .describe('Without those that each sending has of its own, such as Host and Content-Length.'),
  body: text.describe('null: none, or none that is text.'),
});

export const mended = named(
  'MendedRequest',
  request.extend({
    recorded: request.describe('The request as it was recorded.'),
    changes: z
      .array(
        z.object({
          rule: z.string(),
          place: z.string(),
          was: text.describe('null: nothing stood there.'),
          now: text.describe('null: it is taken away.'),
          note: text.describe('Why this value, where others are right, too.'),
        }),
      )
      .describe('The gravest finding first.'),
    open: z
      .array(z.object({ rule: z.string(), part: mark.shape.part, sentence: z.string(), note: text }))
      .describe('What only the TPP can know.'),
  }),
);

export type Mended = Shown<typeof mended>;

export interface MendParts extends Pick<MendFacts, 'dialect' | 'consent' | 'uuid'> {
  /** Epoch ms. */
  readonly now: number;
  /** Whether an access token can be put in as the call is sent. */
  readonly fillsTokens: boolean;
  readonly lastGood: Exchange | null;
}

/** The test certificate with which nothing is wrong. */
const SOUND = 'tpp';
const FINGERPRINT = /\bfp_/;
const AS_LAST_GOOD = 'as in the last good call';
const TOKEN_NOTE = 'the gateway puts one in as it sends the call';

/** These are mended with the form as a whole, or not at all. */
const isOfForm = ({ judges, place, actual = 'absent' }: RecordedExchange['findings'][number]): boolean =>
  judges === 'tpp' &&
  (/^(?:query|body$|header Content-Type)/.test(place) || (/^body /.test(place) && actual === 'absent'));

export function mendRequest({ exchange, findings }: RecordedExchange, parts: MendParts): Mended {
  let call = exchange.call;
  let certificate: string | null = null;
  const changes: Mended['changes'][number][] = [];
  const open: Mended['open'][number][] = [];
  const seen = new Set<Place>();
  const change = (rule: string, place: Place, to: unknown, note: string | null): boolean => {
    const where = markOf(place, { ...exchange, call });
    const was = sentAt(where, call);
    const request = to === was ? null : edited(call, where, to);
    if (request === null) return false;
    call = call.sending(request);
    // A text and a number may read the same.
    const show = shown(was) === shown(to) ? asJson : shown;
    changes.push({ rule, place, was: show(was), now: show(to), note });
    return true;
  };
  const form = mendedForm(call, parts.dialect);
  const ofForm = form?.length === 0 ? [] : gravestFirst(findings).filter(isOfForm);
  if (ofForm[0] !== undefined) for (const [place, to] of form ?? []) change(ofForm[0].rule, place, to, null);
  for (const finding of gravestFirst(findings)) {
    const { rule, place, judges } = finding;
    const where = markOf(place, { ...exchange, call });
    if (judges !== 'tpp' || where.side !== 'request' || seen.has(place)) continue;
    seen.add(place);
    const isWhole = ofForm.includes(finding);
    if (isWhole && form !== undefined) continue;
    if (where.part === 'certificate') {
      certificate = SOUND;
      changes.push({ rule, place, was: finding.actual ?? null, now: SOUND, note: 'a test certificate' });
      continue;
    }
    const sent = sentAt(where, call);
    const facts = { ...parts, ...finding, call, sent, today: bankDateAt(parts.now) };
    const to = isWhole ? undefined : MENDS[rule]?.({ ...facts, name: where.name ?? '' });
    const isToken = to === TOKEN_TO_FILL;
    const canTell = to !== undefined && (!isToken || (parts.fillsTokens && needsToken(call)));
    const note = isToken ? TOKEN_NOTE : (MEND_NOTES[rule] ?? null);
    // A value that stands there was meant, though it is wrong: which is right only the TPP knows.
    const good = to === undefined && sent === undefined ? goodAt(place, parts) : undefined;
    if (canTell ? change(rule, place, to, note) : change(rule, place, good, AS_LAST_GOOD)) continue;
    open.push({
      rule,
      part: where.part,
      sentence: sentenceOf(finding, exchange),
      note: CLAIMS[rule] ?? null,
    });
  }
  const { authorization = '' } = call.header;
  if (parts.fillsTokens && needsToken(call) && FINGERPRINT.test(authorization))
    change('', 'header Authorization', TOKEN_TO_FILL, TOKEN_NOTE);
  return {
    ...requestShown(call.request, certificate),
    ...{ recorded: requestShown(exchange.call.request, null), changes, open },
  };
}

const OF_SENDING: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'expect',
  'upgrade',
  // A recorded body is decoded.
  'content-encoding',
]);

/** Each sending has the others of its own, whatever stands there. */
export const headersToSend = (headers: HeaderList): [name: string, value: string][] =>
  headers.flatMap(([name, value]) => (OF_SENDING.has(name.toLowerCase()) ? [] : [[name, value]]));

const requestShown = (
  { method, target, headers, body }: Request,
  certificate: string | null,
): Mended['recorded'] => ({
  ...{ certificate, method, target: withoutOrigin(target), headers: headersToSend(headers) },
  body: body === null || body.base64 === true ? null : body.text,
});

/** Calls whose token is for the consent that they name. */
const needsToken = ({ operation, header }: Call): boolean =>
  operation !== null && operationRow(operation).group === 'accounts' && header['consent-id'] !== undefined;

const asJson = (value: unknown): string | null => (value == null ? null : JSON.stringify(value));
const shown = (value: unknown): string | null => (typeof value === 'string' ? value : asJson(value));

/** A text, or the value of a JSON member; undefined where nothing stands. */
function sentAt(where: Mark, call: Call): unknown {
  const { part, isThere, from, to } = where;
  if (!isThere) return undefined;
  const { body, content } = call.request;
  if (part === 'body' && content.kind === 'json' && body !== null && from !== null && to !== null)
    return JSON.parse(body.text.slice(from, to));
  return textAt(where, { call, answer: null }) ?? undefined;
}

/** The value there when the operation succeeded last; secrets are fingerprints in recordings, and of no use. */
function goodAt(place: Place, { lastGood }: MendParts): unknown {
  if (lastGood === null || !/^(?:header|query|body) /.test(place)) return undefined;
  const value = sentAt(markOf(place, lastGood), lastGood.call);
  return FINGERPRINT.test(JSON.stringify(value) ?? '') ? undefined : value;
}

/** null where it cannot be done. */
function edited({ request }: Call, where: Mark, to: unknown): Request | null {
  const { method, target, headers, body } = request;
  const { part, name, index } = where;
  if (to === undefined) return null;
  const value = shown(to);
  switch (part) {
    case 'method':
      return value === null ? null : new Request(value, target, headers, body);
    case 'path':
    case 'query': {
      const next = part === 'path' ? editedPath(target, where, value) : editedQuery(target, where, value);
      return next === null ? null : new Request(method, next, headers, body);
    }
    case 'header': {
      if (name === null) return null;
      const field = value === null ? [] : [[headers[index ?? -1]?.[0] ?? name, value] as const];
      const at = index ?? headers.length;
      return new Request(method, target, headers.toSpliced(at, 1, ...field), body);
    }
    case 'body': {
      const next = editedBody(request, where, to);
      return next === undefined ? null : new Request(method, target, headers, next);
    }
    default:
      return null;
  }
}

function editedPath(target: string, where: Mark, value: string | null): string | null {
  if (value === null) return null;
  return replaced(target, where, where.name === null ? value : encodeURIComponent(value));
}

function editedQuery(target: string, where: Mark, value: string | null): string | null {
  if (where.name === null) return target.replace(/\?.*$/s, '');
  const next = withParameter(target, where, where.name, value, target.includes('?') ? '&' : '?');
  return next?.replace(/\?$/, '') ?? null;
}

function editedBody({ body, content }: Request, where: Mark, to: unknown): Request['body'] | undefined {
  if (where.name === null) return to === null ? null : bodyOf(shown(to) ?? '');
  if (body === null || body.base64 === true || body.truncated === true) return undefined;
  let next: string | null = null;
  if (content.kind === 'json') next = withMember(body.text, where, where.name, to);
  else if (content.kind === 'form')
    next = withParameter(body.text, where, where.name, shown(to), body.text === '' ? '' : '&');
  return next === null ? undefined : bodyOf(next);
}

function bodyOf(text: string): Request['body'] {
  const bytes = Buffer.from(text);
  return bodyOfBytes(bytes, bytes.length);
}

function replaced(whole: string, { isThere, from, to }: Mark, by: string): string | null {
  return isThere && from !== null && to !== null ? whole.slice(0, from) + by + whole.slice(to) : null;
}

function withParameter(
  whole: string,
  where: Mark,
  name: string,
  value: string | null,
  sign: string,
): string | null {
  const pair = value === null ? '' : `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
  if (!where.isThere) return value === null ? null : whole + sign + pair;
  return replaced(whole, where, pair)?.replace(/([?&])&|&$/, '$1') ?? null;
}

function withMember(whole: string, where: Mark, path: string, to: unknown): string | null {
  if (to === null) return null;
  const json = JSON.stringify(to);
  if (where.isThere) return replaced(whole, where, json);
  const dot = path.lastIndexOf('.');
  const parent = locateMember(whole, path.slice(0, Math.max(0, dot)));
  if (!parent.isThere || whole[parent.from] !== '{') return null;
  const before = whole.slice(0, parent.to - 1).trimEnd();
  const comma = before.endsWith('{') ? '' : ',';
  return `${before}${comma}${JSON.stringify(path.slice(dot + 1))}:${json}${whole.slice(parent.to - 1)}`;
}
