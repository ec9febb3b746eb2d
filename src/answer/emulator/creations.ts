/** What creating a consent and creating a payment have in common: the authorisation, and the links of the answer. */
import type { Call, HeaderList } from '../../exchange/index.js';

export const REDIRECT = ['ASPSP-SCA-Approach', 'REDIRECT'] as const;

/** Reading `implicit-by-default`. */
export function isExplicit(call: Call): boolean {
  return call.header['tpp-explicit-authorisation-preferred'] === 'true';
}

/**
 * A TPP that asks for notifications is told that none will come: they are of instant payments, which are not among
 * the products, and are sent by the simulation only (§Events 3).
 */
export function notificationSupport(call: Call): HeaderList {
  return call.header['tpp-notification-uri'] === undefined ? [] : [['ASPSP-Notification-Support', 'false']];
}
