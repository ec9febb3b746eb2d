/** The journeys of a recording: of each consent and payment, divided by the writes to it. */
import { bankStatusOf, type Exchange, textMember } from '../../exchange/index.js';
import { consentScope, operationRow, paymentScope, scopeInPath } from '../../spec/index.js';
import { exchangedCode, type Flow } from './authorization-calls.js';

/** A journey of one consent or payment. Each accepted write opens the next part; the first one is 0. */
export interface Journey {
  /** In order, by position in the recording. `state` counts the writes so far that changed what is true of the resource. */
  readonly writes: { readonly index: number; readonly state: number }[];
  /** The part that this run is in; null until it reaches the resource. */
  current: number | null;
}

/** Reads in parts of the same state can both be true. */
export function stateOf({ writes }: Journey, part: number): number {
  return part === 0 ? 0 : (writes[part - 1]?.state ?? 0);
}

export function addWrite(journey: Journey, index: number, hard: boolean): number {
  const before = stateOf(journey, journey.writes.length);
  journey.writes.push({ index, state: hard ? before + 1 : before });
  return journey.writes.length;
}

/** The consent or payment that an exchange is about; null: none, or nothing tells. */
export function resourceOf(exchange: Exchange, flow: Flow | null, tokenScope: string | null): string | null {
  const { operation, params, header } = exchange.call;
  if (flow !== null) return flow.scope;
  if (operation === null) return null;
  if (operation === 'oauth.token') return tokenScope;
  const { creates, group } = operationRow(operation);
  if (creates === 'consent' || creates === 'payment') {
    const id = textMember(exchange.answer?.content, `${creates}Id`);
    return id === undefined ? null : (creates === 'consent' ? consentScope : paymentScope)(id);
  }
  const consent = group === 'accounts' ? header['consent-id'] : undefined;
  return scopeInPath(params) ?? (consent === undefined ? null : consentScope(consent));
}

export interface Write {
  /** Whether the state of the resource changes. */
  readonly hard: boolean;
  /** From here on the PSU has authorised it. */
  readonly authorizationRequests: boolean;
}

/** The effect of an accepted exchange on its resource. Another SCA or token changes nothing that is authorised. */
export function writeOf(exchange: Exchange, flow: Flow | null, isAuthorised: boolean): Write | null {
  const { call } = exchange;
  const status = bankStatusOf(exchange) ?? 0;
  if (status < 200 || status >= 400) return null;
  const authorised: Write = { hard: !isAuthorised, authorizationRequests: true };
  if (flow !== null) {
    if (isGranted(flow)) return authorised;
    return flow.outcome.kind === 'page' ? null : { hard: true, authorizationRequests: false };
  }
  if (call.operation === null) return null;
  // If the recording does not show the end of the SCA, the token does.
  if (call.operation === 'oauth.token') return exchangedCode(exchange) === null ? null : authorised;
  const { creates, method } = operationRow(call.operation);
  if (method !== 'DELETE' && creates === null) return null;
  return { hard: creates !== 'authorisation', authorizationRequests: false };
}

function isGranted({ outcome }: Flow): boolean {
  return (
    outcome.kind === 'code' ||
    (outcome.kind === 'redirect' && outcome.parameters.some(([name]) => name === 'code'))
  );
}
