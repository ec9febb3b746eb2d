/** A recorded call as it is sent again: with this run's ids, tokens and dates. */
import {
  type FileRecord,
  formValue,
  type HeaderList,
  isFingerprint,
  isPlainRead,
  queryValue,
} from '../../exchange/index.js';
import { isUuid } from '../../spec/index.js';
import type { Run, RunState, VerifierFlaw } from './run.js';
import type { Identity, Outgoing } from './sender.js';
import type { RerunTarget } from './target.js';

type Parts = Pick<Run, 'state' | 'target' | 'system'>;

export type Prepared = { readonly outgoing: Outgoing } | { readonly reason: string };

/** These belong to the connection, to the gateway that recorded, or to one run. */
const NOT_SENT: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'accept-encoding',
  'cookie',
  'date',
]);
const LEFT_OVER = /\bfp_[A-Za-z0-9_-]{22}/;
const TOKEN_BYTES = 48;
const STATE_BYTES = 32;
/** A shorter state is one that the client did not mean to be secret. */
const SHORTEST_STATE = 16;

/** `scenario` is asked for in place of what the PSU did on the pages of a bank. */
export function prepareCall(record: FileRecord, parts: Parts, scenario: string | null): Prepared {
  const { call } = record.exchange;
  const identity = call.listener === 'psu' ? null : parts.target.identityFor(call.certificate, call.at);
  renewOwn(record, parts, identity);
  const reason = standInForSecrets(record, parts);
  if (reason !== null) return { reason };
  const url = addressOf(record, parts, scenario);
  if (url === null) return { reason: 'no answer of this run says where the PSU authorises: give --psu' };
  const headers = headersOf(record, parts.state);
  const body = buildBody(record, parts.state);
  if ([url.href, ...headers.flat(), body ?? ''].some((text) => LEFT_OVER.test(text)))
    return { reason: 'it contains a secret of the client, of which the recording has only a fingerprint' };
  const bytes = typeof body === 'string' ? Buffer.from(body, bodyEncoding(record)) : null;
  const repeatable = isPlainRead(call);
  return { outgoing: { method: call.request.method, url, headers, body: bytes, identity, repeatable } };
}

const bodyEncoding = ({ exchange }: FileRecord) =>
  exchange.call.request.body?.base64 === true ? 'base64' : 'utf8';

/** What a client makes again in each run: request ids, state, challenge; and who it is, where it is another. */
function renewOwn({ exchange }: FileRecord, parts: Parts, identity: Identity | null): void {
  const { call } = exchange;
  const { state } = parts;
  const isNew = (value: string) => state.sent.valueOf(value) === undefined;
  const requestId = call.header['x-request-id'];
  if (requestId !== undefined && isUuid(requestId) && isNew(requestId))
    state.renew(requestId, parts.system.chance.uuid());
  const clientId = queryValue(exchange.call, 'client_id') ?? formValue(exchange.call.content, 'client_id');
  const was = typeof call.certificate === 'object' ? call.tpp : (clientId ?? null);
  const is = identity?.organisation ?? null;
  if (was !== null && is !== null && was !== is && /^PSD[A-Z]{2}-/.test(was)) state.renew(was, is);
  if (call.operation !== 'oauth.authorize') return;
  const random = queryValue(exchange.call, 'state') ?? '';
  if (random.length >= SHORTEST_STATE && isNew(random))
    state.renew(random, Buffer.from(parts.system.chance.bytes(STATE_BYTES)).toString('base64url'));
  const challenge = queryValue(exchange.call, 'code_challenge') ?? '';
  const pair = state.challenges.pairFor(challenge, queryValue(exchange.call, 'code_challenge_method'));
  if (pair !== null) state.renew(challenge, pair.challenge);
}

/**
 * A token, or a code, that the recording did not hand out: where the bank refused it, any other unknown one will do.
 * Gives the reason why the call cannot be sent where it was taken.
 */
function standInForSecrets({ exchange }: FileRecord, { state, system }: Parts): string | null {
  const { call, answer } = exchange;
  const secrets = [
    ['access token', call.header.authorization?.replace(/^\S+\s+/, '')],
    ['code', formValue(exchange.call.content, 'code')],
    ['refresh token', formValue(exchange.call.content, 'refresh_token')],
  ] as const;
  for (const [what, secret] of secrets) {
    if (secret === undefined || !isFingerprint(secret) || state.sent.valueOf(secret) !== undefined) continue;
    if (answer !== null && answer.status < 400)
      return `the recording does not tell where its ${what} came from, and contains only a fingerprint of it`;
    state.sent.learn(secret, Buffer.from(system.chance.bytes(TOKEN_BYTES)).toString('hex'));
  }
  return null;
}

function headersOf({ exchange }: FileRecord, { sent }: RunState): HeaderList {
  return exchange.call.request.headers
    .filter(([name]) => !NOT_SENT.has(name.toLowerCase()) && !/^(?:sandgate|proxy)-/i.test(name))
    .map(([name, value]) => [name, sent.valueOf(value) ?? sent.translate(value)]);
}

function addressOf(
  { exchange: { call } }: FileRecord,
  { state, target }: Parts,
  scenario: string | null,
): URL | null {
  const base =
    call.listener === 'psu'
      ? psuAddress(call.request.path, state, target)
      : apiAddress(call.request.path, state, target);
  if (base === null || !URL.canParse(base)) return null;
  const mark = call.request.target.indexOf('?');
  const query = mark < 0 ? '' : state.sent.translateQuery(call.request.target.slice(mark + 1));
  const url = new URL(query === '' ? base : `${base}?${query}`);
  if (scenario === null) return url;
  url.searchParams.delete('choice');
  url.searchParams.set('scenario', scenario);
  return url;
}

/** A link is followed where it leads to the same place: tokens are sent to no other. */
function apiAddress(path: string, { sent }: RunState, { api }: RerunTarget): string {
  const link = sent.linkOf(path);
  return link?.startsWith(`${api}/`) === true ? link : api + sent.translatePath(path);
}

function psuAddress(path: string, { sent, psuSite }: RunState, { psu }: RerunTarget): string | null {
  if (psu !== null) return psu + sent.translatePath(path);
  const link = sent.linkOf(path);
  if (link !== undefined && /^https?:/i.test(link)) return link;
  return psuSite === null ? null : psuSite + sent.translatePath(path);
}

const DEEPEST = 100;

/** Base64 where the recorded one is; null where there is none. */
function buildBody(record: FileRecord, state: RunState): string | null {
  const { content, request } = record.exchange.call;
  const { body } = request;
  if (body === null) return null;
  if (content.kind === 'form') return buildForm(record, content.fields, state) ?? body.text;
  if (content.kind !== 'json') return body.text;
  const value = translateValue(content.value, state, 0);
  return value === content.value ? body.text : JSON.stringify(value);
}

function buildForm(
  record: FileRecord,
  fields: readonly (readonly [string, string])[],
  { sent, challenges }: RunState,
): string | null {
  let changed = false;
  const code = formValue(record.exchange.call.content, 'code') ?? '';
  const pairs = fields.map(([name, value]): [string, string] => {
    const now =
      name === 'code_verifier'
        ? challenges.verifierFor(value, code, flawOf(record))
        : (sent.valueOf(value) ?? sent.translate(value));
    changed ||= now !== value;
    return [name, now];
  });
  return changed ? new URLSearchParams(pairs).toString() : null;
}

/** As it was judged when it was recorded. */
function flawOf({ verdicts = {}, findings = [] }: FileRecord): VerifierFlaw | null {
  const isViolated = (rule: string) =>
    verdicts[rule] === 'violated' || findings.some((finding) => finding.rule === rule);
  if (isViolated('oauth/verifier-well-formed')) return 'malformed';
  return isViolated('oauth/verifier-matches-challenge') ? 'mismatch' : null;
}

/** The same value where nothing in it changes. */
function translateValue(value: unknown, state: RunState, depth: number): unknown {
  if (typeof value === 'string') return state.sent.translate(value);
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
  if (Array.isArray(value)) {
    const entries = value.map((entry) => translateValue(entry, state, depth + 1));
    return entries.every((entry, i) => entry === value[i]) ? value : entries;
  }
  const members = Object.entries(value).map(
    ([name, inner]) => [name, translateValue(inner, state, depth + 1)] as const,
  );
  return members.every(([name, inner]) => inner === (value as Record<string, unknown>)[name])
    ? value
    : Object.fromEntries(members);
}
