/** The links in the emulator's answers. */
import { DISCOVERY_PATH } from '../../spec/index.js';
export interface LinksParts {
  /** Origins of the listeners, known once they listen; without a slash at the end. */
  readonly urls: () => { readonly api: string; readonly psu: string; readonly admin?: string };
  /** What scaOAuth holds (§Authentication 4), asked again for each link. */
  readonly scaLink: () => 'discovery' | 'direct';
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

export function createLinks({ urls, scaLink, segment }: LinksParts): Links {
  const authorize = (id: string) => `${urls().psu}/${segment}/authorization/authorize/${id}`;
  const discovery = (id: string) => `${urls().api}/${segment}${DISCOVERY_PATH}?authorizationId=${id}`;
  return {
    segment,
    v1: (path) => `${urls().api}/${segment}/v1${path}`,
    issuer: () => `${urls().api}/${segment}`,
    authorize,
    scaOAuth: (id) => (scaLink() === 'discovery' ? discovery(id) : authorize(id)),
  };
}

/** The links of a new authorisation; `self`: the address of its consent or payment. */
export function authorisationLinks({ scaOAuth }: Links, self: string, id: string) {
  return { scaOAuth: href(scaOAuth(id)), scaStatus: href(`${self}/authorisations/${id}`) };
}

export function href(url: string): { href: string } {
  return { href: url };
}
