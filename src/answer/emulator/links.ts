/** The links in the emulator's answers. */
import { DISCOVERY_PATH } from '../../spec/index.js';

export interface LinksParts {
  /** Origins of the listeners, known once they listen; without a slash at the end. */
  readonly urls: () => { readonly api: string; readonly psu: string; readonly admin?: string };
  /** The form of scaOAuth (§Authentication 4), asked again for each link. */
  readonly scaLink: () => 'discovery' | 'direct';
  readonly segment: string;
}

export type Links = ReturnType<typeof createLinks>;

export function createLinks({ urls, scaLink, segment }: LinksParts) {
  const authorize = (id: string) => `${urls().psu}/${segment}/authorization/authorize/${id}`;
  const discovery = (id: string) => `${urls().api}/${segment}${DISCOVERY_PATH}?authorizationId=${id}`;
  return {
    segment,
    /** `https://…/stdgroup/v1` and the path below it. */
    v1: (path: string) => `${urls().api}/${segment}/v1${path}`,
    issuer: () => `${urls().api}/${segment}`,
    authorize,
    scaOAuth: (id: string) => (scaLink() === 'discovery' ? discovery(id) : authorize(id)),
  };
}

/** The links of a new authorisation; `self`: the address of its consent or payment. */
export function authorisationLinks({ scaOAuth }: Links, self: string, id: string) {
  return { scaOAuth: href(scaOAuth(id)), scaStatus: href(`${self}/authorisations/${id}`) };
}

export function href(url: string): { href: string } {
  return { href: url };
}
