/** Scopes of tokens (§Authentication 3): which consent or payment one is for, put together and taken apart. */
import type { Role } from './operations.js';

/** What a scope may be for, with the role that it takes. PIIS is the family's form for funds confirmation. */
export const SCOPE_ROLES = { AIS: 'PSP_AI', PIS: 'PSP_PI', PIIS: 'PSP_IC' } as const satisfies Record<
  string,
  Role
>;

export interface Scope {
  readonly service: keyof typeof SCOPE_ROLES;
  readonly id: string;
}

/** `AIS:<consent id>` */
export const consentScope = (id: string): string => `AIS:${id}`;

/** `PIS:<payment id>` */
export const paymentScope = (id: string): string => `PIS:${id}`;

/** Of what a path names; null where it names neither a consent nor a payment. */
export function scopeInPath({ consentId, paymentId }: Readonly<Record<string, string>>): string | null {
  if (consentId !== undefined) return consentScope(consentId);
  return paymentId === undefined ? null : paymentScope(paymentId);
}

/** A scope taken apart: `AIS:VALID_CONSENT_ID`. Undefined where it has not that form. */
export function parseScope(scope: string): Scope | undefined {
  const colon = scope.indexOf(':');
  const service = scope.slice(0, colon);
  const id = scope.slice(colon + 1);
  if (!isService(service) || id === '' || /\s/.test(id)) return undefined;
  return { service, id };
}

const isService = (text: string): text is Scope['service'] => Object.hasOwn(SCOPE_ROLES, text);
