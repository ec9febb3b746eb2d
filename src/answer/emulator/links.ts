/** The bank's own addresses, as its answers link them. */
import { SANDBOX_AUTHORISATIONS, type SandboxAuthorisationId } from '../../spec/index.js';

export interface LinksParts {
  /** Origins of the listeners, known once they listen; without a slash at the end. */
  readonly urls: () => { readonly api: string; readonly psu: string };
  /** What scaOAuth holds (§Authentication 4). */
  readonly scaLink: 'discovery' | 'direct';
  readonly segment: string;
}

export interface Links {
  readonly segment: string;
  /** `https://…/stdgroup/v1` and the path below it. */
  readonly v1: (path: string) => string;
  readonly issuer: () => string;
  /** Where the PSU authorises. */
  readonly authorize: (authorisationId: string) => string;
  readonly scaOAuth: (authorisationId: string) => string;
}

/** Authorisations that creations name (reading `creation-authorisation-ids`). */
export const CREATED_AUTHORISATION = {
  consent: '22222222-2222-2222-2222-222222222222',
  payment: '11111111-1111-1111-1111-111111111111',
} as const satisfies Record<string, SandboxAuthorisationId>;

/** Reading `authorisation-list`. */
export const LISTED_AUTHORISATIONS: readonly SandboxAuthorisationId[] = [
  '11111111-1111-1111-1111-111111111111',
  '22222222-2222-2222-2222-222222222222',
];

export function isKnownAuthorisation(id: string | undefined): id is SandboxAuthorisationId {
  return id !== undefined && Object.hasOwn(SANDBOX_AUTHORISATIONS, id);
}

export function createLinks({ urls, scaLink, segment }: LinksParts): Links {
  const authorize = (id: string) => `${urls().psu}/${segment}/authorization/authorize/${id}`;
  const discovery = (id: string) =>
    `${urls().api}/${segment}/.well-known/openid-configuration?authorizationId=${id}`;
  return {
    segment,
    v1: (path) => `${urls().api}/${segment}/v1${path}`,
    issuer: () => `${urls().api}/${segment}`,
    authorize,
    scaOAuth: scaLink === 'discovery' ? discovery : authorize,
  };
}

export function href(url: string): { href: string } {
  return { href: url };
}
