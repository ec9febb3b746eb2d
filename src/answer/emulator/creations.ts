/** The common parts of creating a consent and creating a payment: authorisation and links. */
import type { Answer, Call, HeaderList } from '../../exchange/index.js';
import { answerJson } from '../render.js';
import { authorisationLinks, href, type Links } from './links.js';

export const REDIRECT = ['ASPSP-SCA-Approach', 'REDIRECT'] as const;

/** Reading `implicit-by-default`. */
export function isExplicit(call: Call): boolean {
  return call.header['tpp-explicit-authorisation-preferred'] === 'true';
}

/** None will come: they are of instant payments, which are not among the products, and of the simulation (§Events 3). */
export function notificationSupport(call: Call): HeaderList {
  return call.header['tpp-notification-uri'] === undefined ? [] : [['ASPSP-Notification-Support', 'false']];
}

/** Links in the answer to a creation. `authorisation`: the id created with it; null if the TPP starts one. */
export function creationLinks(links: Links, self: string, authorisation: string | null) {
  const start =
    authorisation === null
      ? { startAuthorisation: href(`${self}/authorisations`) }
      : authorisationLinks(links, self, authorisation);
  return { ...start, self: href(self), status: href(`${self}/status`) };
}

export function answerStart(links: Links, call: Call, self: string, authorisationId: string): Answer {
  const _links = authorisationLinks(links, self, authorisationId);
  return answerJson(call, 'emulator', 201, { scaStatus: 'received', authorisationId, _links }, [REDIRECT]);
}
