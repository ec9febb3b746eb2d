/** The calls that read account information, and what they refer to. */
import type { Call } from '../../exchange/index.js';
import type { OperationId } from '../../spec/index.js';

export const ACCOUNT_CALLS = [
  'accounts.list',
  'accounts.read',
  'accounts.balances',
  'accounts.transactions',
] as const satisfies readonly OperationId[];

/** The Consent-Id header, or undefined where it is absent or empty. */
export function consentIdOf(call: Call): string | undefined {
  return call.header['consent-id'] || undefined;
}

/** The first query parameter with that name. */
export function queryValue(call: Call, name: string): string | undefined {
  for (const [key, value] of call.request.query) if (key === name) return value;
  return undefined;
}
