/** Calls that only ask. */
import type { Call } from './exchange.js';

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a call changes nothing at a bank. Pages are sent as GET, and yet they may authorise. */
export function isRead({ operation, request, listener }: Call): boolean {
  return SAFE.has(request.method) && listener === 'api' && operation !== 'oauth.authorize';
}
