/**
 * Invariant headers, whose values are the same from call to call; the stored form keeps them with the shape of the
 * call.
 */
import { byHeaderName } from '../headers.js';

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

export const isInvariantHeader = byHeaderName((key) => INVARIANT.has(key));
