/** The journeys of a recording: the life of each consent and payment, divided by the writes to it. */
import type { Call, Exchange } from '../../exchange/index.js';
import {
  consentScope,
  type OperationRow,
  operationRow,
  paymentScope,
  scopeInPath,
} from '../../spec/index.js';
import { exchangedCode, type Flow, textMember } from './authorise-calls.js';

/** One consent or payment. Its life begins at 0; each write that the bank accepted opens the next part of it. */
export interface Lane {
  /** `AIS:<consent id>` or `PIS:<payment id>`. */
  readonly resource: string;
  /**
   * The writes in order, by position in the recording. `state` counts those that change what is true, up to this one:
   * creation, outcome of SCA, deletion.
   */
  readonly writes: { readonly index: number; readonly state: number }[];
  /** The part that this run is in; null until it touches the resource. */
  current: number | null;
}

export interface Lanes {
  readonly of: (resource: string) => Lane;
}

export function createLanes(): Lanes {
  const lanes = new Map<string, Lane>();
  return {
    of: (resource) => {
      const known = lanes.get(resource);
      if (known !== undefined) return known;
      const lane: Lane = { resource, writes: [], current: null };
      lanes.set(resource, lane);
      return lane;
    },
  };
}

/** What was read in parts of the same state can both be true. */
export function stateOf({ writes }: Lane, part: number): number {
  return part === 0 ? 0 : (writes[part - 1]?.state ?? 0);
}

/** Opens the next part of a life; gives its number. */
export function addWrite(lane: Lane, index: number, hard: boolean): number {
  const before = stateOf(lane, lane.writes.length);
  lane.writes.push({ index, state: hard ? before + 1 : before });
  return lane.writes.length;
}

/** The resource that a read looks at; null for calls of nothing that changes. */
export function resourceOfRead({ operation, params, header, request }: Call): string | null {
  if (operation === null || (request.method !== 'GET' && request.method !== 'HEAD')) return null;
  const named = scopeInPath(params);
  if (named !== null) return named;
  const consentId = operationRow(operation).group === 'accounts' ? header['consent-id'] : undefined;
  return consentId === undefined ? null : consentScope(consentId);
}

export interface Write {
  readonly resource: string;
  /** What is true of the resource changes. */
  readonly hard: boolean;
  /** From here on the PSU has authorised it. */
  readonly authorises: boolean;
}

/**
 * What an exchange that the bank accepted did to a resource; null where it did nothing. What is authorised already is
 * not changed by one more SCA that ends well, or by one more token.
 */
export function writeOf(
  exchange: Exchange,
  flow: Flow | null,
  /** What the tokens are for that it gave. */
  tokenScope: string | null,
  isAuthorised: (resource: string) => boolean,
): Write | null {
  const { call, answer } = exchange;
  if (answer === null || answer.status < 200 || answer.status >= 400) return null;
  const authorised = (resource: string | null): Write | null =>
    resource === null ? null : { resource, hard: !isAuthorised(resource), authorises: true };
  if (flow !== null) return isGranted(flow) ? authorised(flow.scope) : refused(flow);
  if (call.operation === null) return null;
  // Where the recording does not show how the SCA ended, the token does.
  if (call.operation === 'oauth.token')
    return exchangedCode(exchange) === null ? null : authorised(tokenScope);
  const { creates, method } = operationRow(call.operation);
  const made = madeBy(creates, exchange);
  if (made !== null) return { resource: made, hard: true, authorises: false };
  const resource = scopeInPath(call.params);
  if (resource === null || (method !== 'DELETE' && creates !== 'authorisation')) return null;
  return { resource, hard: method === 'DELETE', authorises: false };
}

function isGranted({ outcome }: Flow): boolean {
  return (
    outcome.kind === 'code' ||
    (outcome.kind === 'redirect' && outcome.parameters.some(([name]) => name === 'code'))
  );
}

function refused({ scope, outcome }: Flow): Write | null {
  const resource = outcome.kind === 'page' ? null : scope;
  return resource === null ? null : { resource, hard: true, authorises: false };
}

function madeBy(creates: OperationRow['creates'], exchange: Exchange): string | null {
  if (creates !== 'consent' && creates !== 'payment') return null;
  const id = textMember(exchange, `${creates}Id`);
  if (id === null) return null;
  return creates === 'consent' ? consentScope(id) : paymentScope(id);
}
