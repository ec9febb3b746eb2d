/** Runs an example of an own rule, as the engine would judge the call. */
import {
  type Answer,
  type Body,
  type Call,
  closeCall,
  createFingerprint,
  openAnswer,
  openCall,
} from '../../exchange/index.js';
import { createLedger, openDailyWindow } from '../../ledger/index.js';
import { dialectOf, type OperationId, operationRow } from '../../spec/index.js';
import { Context } from '../context.js';
import { findersOf, isAbout, lackOfAny } from '../needs.js';
import type { JudgeOptions, Rule, Verdict } from '../rule.js';
import type { Said } from './said.js';
import { createViewer } from './seen.js';
import type { Example, ExampleAnswer, SeenExchange } from './types.js';

/** An example whose operation is known to be one. */
export interface OwnExample extends Example {
  readonly call: Example['call'] & { readonly operation: OperationId };
}

const AT = '2026-06-15T10:00:00Z';
const TPP = 'PSDBE-NBB-0123456789';
const ID = '99391c7e-ad88-49ec-a2ad-99ddcb1f7721';
const PARAMS: Readonly<Record<string, string>> = {
  segment: 'stdgroup',
  paymentService: 'payments',
  paymentProduct: 'sepa-credit-transfers',
};
/** Nobody's: what is redacted in an example is told to nobody. */
const KEY = new Uint8Array(32);
const NO_TIME = { total: 0, answerer: 0 } as const;

const OPTIONS: JudgeOptions = {
  profile: 'sandbox',
  dailyWindow: { kind: 'rolling' },
  blockedOrganisations: new Set(),
  notificationHostAllowed: () => true,
  bankOrigins: new Set(),
  dialect: dialectOf(),
};

/** The verdict that the rule gives, or `rule broken: it threw …`. */
export function runExample(rule: Rule, example: OwnExample, ask: (seen: SeenExchange) => Said) {
  const fingerprint = createFingerprint(KEY);
  const call = callOf(example.call);
  const answer = example.answer === undefined ? null : answerOf(example.answer);
  const exchange = closeCall(call, answer, NO_TIME);
  if (!isAbout(rule, call.operation, call.listener)) return 'not-applicable';
  const window = openDailyWindow(OPTIONS.dailyWindow);
  const context = new Context(exchange, createLedger(), { options: OPTIONS, window, fingerprint });
  const lack = lackOfAny(findersOf(rule.needs), context);
  if (lack !== null) return lack;
  const { token, consent } = example;
  const seen = createViewer()({ call, options: OPTIONS, fingerprint, token, consent, exchange });
  return verdictOf(ask(rule.scope === 'exchange' ? seen : { ...seen, answer: null }));
}

function verdictOf(said: Said): Verdict | `rule broken: ${string}` {
  if ('broken' in said) return `rule broken: ${said.broken}`;
  const { outcome } = said;
  if (outcome === true) return 'complied';
  if (typeof outcome === 'string') return outcome;
  return outcome.length === 0 ? 'complied' : 'violated';
}

function callOf(given: OwnExample['call']): Call {
  const { operation } = given;
  const { method, path, listener, requestId } = operationRow(operation);
  const { query = {}, headers = {}, json, form, tpp = TPP, at = AT } = given;
  const params: Record<string, string> = {};
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = given.params?.[name] ?? PARAMS[name] ?? ID;
    params[name] = value;
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams(query).toString();
  const fields = form === undefined ? undefined : new URLSearchParams(form).toString();
  const type =
    json !== undefined
      ? 'application/json'
      : fields !== undefined
        ? 'application/x-www-form-urlencoded'
        : null;
  const call = openCall(
    {
      ...{ id: 'example', session: 'example', at: Date.parse(at), listener, method },
      target: search === '' ? filled : `${filled}?${search}`,
      connection: { address: '127.0.0.1', tls: 'not-observed' },
      certificate: tpp === null ? 'absent' : 'not-observed',
      headers: [
        ...(requestId ? [['X-Request-ID', ID] as const] : []),
        ...(type === null ? [] : [['Content-Type', type] as const]),
        ...Object.entries(headers),
      ],
      body: bodyOf(json, fields ?? given.body),
    },
    { kind: 'operation', operation, params },
  );
  return call.with({ tpp });
}

function answerOf({ status, headers = {}, json, body, source = 'upstream' }: ExampleAnswer): Answer {
  const type = json === undefined ? [] : [['Content-Type', 'application/json'] as const];
  return openAnswer({
    source,
    status,
    headers: [...type, ...Object.entries(headers)],
    body: bodyOf(json, body),
  });
}

function bodyOf(json: unknown, body: string | undefined): Body | null {
  const text = json === undefined ? body : JSON.stringify(json);
  return text === undefined ? null : { text, size: Buffer.byteLength(text) };
}
