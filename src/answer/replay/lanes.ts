/** The life of each consent and payment in the recording, divided by the writes to it. */
import type { Call, Exchange } from '../../exchange/index.js';
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
  if (params.consentId !== undefined) return `AIS:${params.consentId}`;
  if (params.paymentId !== undefined) return `PIS:${params.paymentId}`;
  const consentId = operation.startsWith('accounts.') ? header['consent-id'] : undefined;
  return consentId === undefined ? null : `AIS:${consentId}`;
}

export interface Write {
  readonly resource: string;
  readonly hard: boolean;
}

/** What an exchange that the bank accepted did to a resource; null where it did nothing. */
export function writeOf(exchange: Exchange, flow: Flow | null, isAuthorised: boolean): Write | null {
  const { call, answer } = exchange;
  if (answer === null || answer.status < 200 || answer.status >= 400) return null;
  if (flow !== null) return writeOfFlow(flow);
  const { consentId, paymentId } = call.params;
  const resource = consentId === undefined ? `PIS:${paymentId}` : `AIS:${consentId}`;
  switch (call.operation) {
    case 'consents.create':
      return created('AIS', textMember(exchange, 'consentId'));
    case 'payments.create':
      return created('PIS', textMember(exchange, 'paymentId'));
    case 'consents.delete':
    case 'payments.cancel':
      return { resource, hard: true };
    case 'consents.authorisations.create':
    case 'payments.authorisations.create':
      return { resource, hard: false };
    case 'oauth.token': {
      const scope = exchangedCode(exchange) === null ? null : textMember(exchange, 'scope');
      // Where the recording does not show how the SCA ended, the token does.
      return scope === null ? null : { resource: scope, hard: !isAuthorised };
    }
    default:
      return null;
  }
}

function writeOfFlow({ scope, outcome }: Flow): Write | null {
  return scope === null || outcome.kind === 'page' ? null : { resource: scope, hard: true };
}

function created(service: 'AIS' | 'PIS', id: string | null): Write | null {
  return id === null ? null : { resource: `${service}:${id}`, hard: true };
}
