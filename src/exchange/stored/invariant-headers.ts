/**
 * Invariant headers, whose values are the same from call to call; the stored form keeps them with the shape of the
 * call.
 */
import { byHeaderName } from '../headers.js';
import type { PackedHeader } from './packed.js';

/** Lower case. Taking one up or out is no change of format: each stored shape says which values it holds. */
const INVARIANT = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'access-control-allow-origin',
  'allow',
  'aspsp-notification-support',
  'aspsp-sca-approach',
  'cache-control',
  'connection',
  'content-encoding',
  'content-language',
  'content-security-policy',
  'content-type',
  'expires',
  'host',
  'keep-alive',
  'pragma',
  'psu-ip-address',
  'psu-user-agent',
  'referrer-policy',
  'sandgate-findings',
  'sandgate-source',
  'server',
  'strict-transport-security',
  'tpp-explicit-authorisation-preferred',
  'tpp-nok-redirect-uri',
  'tpp-redirect-preferred',
  'tpp-redirect-uri',
  'transfer-encoding',
  'user-agent',
  'vary',
  'via',
  'x-content-type-options',
  'x-frame-options',
  'x-powered-by',
]);

/** What is kept in the place of a header whose value is the call's own, for each name the same; null for all others. */
export const nameAlone = byHeaderName((key, name): PackedHeader | null =>
  INVARIANT.has(key) ? null : [name],
);
