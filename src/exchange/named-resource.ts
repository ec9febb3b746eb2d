/** The consents and payments whose journeys an exchange belongs to: for reports, the live page and the filter `journey`. */
import { operationRow, parseScope } from '../spec/index.js';
import type { Exchange } from './exchange.js';
import { headerIn } from './headers.js';
import { memberOf, queryValue } from './members.js';

export interface NamedResource {
  readonly kind: 'consent' | 'payment';
  readonly id: string;
}

/** The one that it names stands first; a second one is that of its token (see `Exchange.scope`). */
export function namedResources(exchange: Exchange): readonly NamedResource[] {
  return [resourceNamedIn(exchange), resourceOfScope(exchange.scope)].filter((one) => one !== null);
}

export const namedResource = (exchange: Exchange): NamedResource | null =>
  namedResources(exchange)[0] ?? null;

function resourceNamedIn({ call, answer }: Exchange): NamedResource | null {
  const { operation, params } = call;
  const inBody = (name: string) =>
    call.content.kind === 'json' ? memberOf(call.content.value, name) : undefined;
  const inAnswer = (name: string) =>
    answer?.content.kind === 'json' ? memberOf(answer.content.value, name) : undefined;
  if (call.direction === 'to-tpp') return resource('payment', inBody('payment-ID'));
  // The forms of the bank's pages are posted to the address of the authorization request.
  if (operation === null) return call.listener === 'psu' ? resourceOfScope(queryValue(call, 'scope')) : null;
  switch (operationRow(operation).group) {
    case 'oauth':
      return resourceOfScope(operation === 'oauth.authorize' ? queryValue(call, 'scope') : inAnswer('scope'));
    case 'accounts':
      return resource('consent', headerIn(call.request.headers, 'consent-id'));
    case 'consents':
      return resource('consent', params.consentId ?? inAnswer('consentId'));
    case 'payments':
      return resource('payment', params.paymentId ?? inAnswer('paymentId'));
    default:
      return operation === 'notifications.simulate' ? resource('payment', inBody('paymentId')) : null;
  }
}

export function resourceOfScope(scope: unknown): NamedResource | null {
  const parsed = typeof scope === 'string' ? parseScope(scope) : undefined;
  if (parsed === undefined) return null;
  return resource(parsed.service === 'PIS' ? 'payment' : 'consent', parsed.id);
}

const resource = (kind: NamedResource['kind'], id: unknown): NamedResource | null =>
  typeof id === 'string' && id !== '' && id.length <= 500 ? { kind, id } : null;
