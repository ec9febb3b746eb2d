/** The view that a rule of the user's own gets: copies, frozen, with fingerprints in place of secrets. */
import {
  type Answer,
  closeCall,
  createRedactor,
  type Fingerprint,
  type Redactor,
} from '../../exchange/index.js';
import type { CallContext, ExchangeContext } from '../rule.js';
import type * as own from './types.js';

/** With `exchange` for rules that see the answer. */
export interface SeenContext
  extends Pick<CallContext, 'call' | 'options' | 'fingerprint'>,
    Partial<Pick<ExchangeContext, 'exchange'>> {
  readonly token: own.Token | undefined;
  readonly consent: own.Consent | undefined;
}

const NO_TIME = { total: 0, answerer: 0 } as const;

/** Several rules look at one context: it is copied once. */
export function createViewer(): (context: SeenContext) => own.SeenExchange {
  const known = new WeakMap<SeenContext, own.SeenExchange>();
  let redacting: { readonly by: Fingerprint; readonly redact: Redactor } | null = null;
  return (context) => {
    const before = known.get(context);
    if (before !== undefined) return before;
    const { fingerprint } = context;
    if (redacting?.by !== fingerprint) redacting = { by: fingerprint, redact: createRedactor(fingerprint) };
    const seen = freeze(structuredClone(view(context, redacting.redact)));
    known.set(context, seen);
    return seen;
  };
}

function view({ call: clear, exchange, options, token, consent }: SeenContext, redact: Redactor) {
  const { call, answer } = redact(exchange ?? closeCall(clear, null, NO_TIME)).exchange;
  const { request } = call;
  return {
    profile: options.profile,
    call: {
      at: call.at,
      listener: call.listener,
      operation: call.operation,
      params: call.params,
      tpp: call.tpp,
      method: request.method,
      path: request.path,
      query: request.query,
      ...messageOf(request),
      form: request.content.kind === 'form' ? request.content.fields : undefined,
    },
    answer: answer === null ? null : { source: answer.source, status: answer.status, ...messageOf(answer) },
    token:
      token === undefined
        ? null
        : { scope: token.scope, issuedAt: token.issuedAt, expiresAt: token.expiresAt },
    consent:
      consent === undefined
        ? null
        : {
            id: consent.id,
            status: consent.status,
            createdAt: consent.createdAt,
            validUntil: consent.validUntil,
            recurring: consent.recurring,
            frequencyPerDay: consent.frequencyPerDay,
          },
  } satisfies own.SeenExchange;
}

function messageOf({
  headers,
  header,
  body,
  content,
}: Pick<Answer, 'headers' | 'header' | 'body' | 'content'>) {
  return {
    headers,
    header: { ...header },
    body: body === null || body.base64 === true ? null : body.text,
    json: content.kind === 'json' ? content.value : undefined,
  };
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const one of Object.values(value)) freeze(one);
  return Object.freeze(value);
}
