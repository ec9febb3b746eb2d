/** The links in the emulator's answers. */
import type { Dialect, OperationId } from '../../spec/index.js';

export interface LinksParts {
  /** Origins of the listeners, known once they listen; without a slash at the end. */
  readonly urls: () => { readonly api: string; readonly psu: string; readonly admin?: string };
  /** The form of scaOAuth (§Authentication 4), asked again for each link. */
  readonly scaLink: () => 'discovery' | 'direct';
  readonly dialect: Dialect;
}

export type Links = ReturnType<typeof createLinks>;

export function createLinks({ urls, scaLink, dialect }: LinksParts) {
  const authorizePath = (authorisationId: string) => dialect.pathOf('oauth.authorize', { authorisationId });
  const authorize = (id: string) => `${urls().psu}${authorizePath(id)}`;
  const discovery = (id: string) => `${urls().api}${dialect.pathOf('oauth.discovery')}?authorizationId=${id}`;
  return {
    dialect,
    api: () => urls().api,
    /** The whole address of an operation. */
    to: (operation: OperationId, params?: Readonly<Record<string, string>>) =>
      `${urls().api}${dialect.pathOf(operation, params)}`,
    /** A link of that name, where the bank offers the operation. */
    named: (name: string, operation: OperationId, params: Readonly<Record<string, string>>) =>
      dialect.offers(operation) ? { [name]: href(`${urls().api}${dialect.pathOf(operation, params)}`) } : {},
    issuer: () => `${urls().api}/${dialect.segment}`,
    authorizePath,
    authorize,
    scaOAuth: (id: string) =>
      scaLink() === 'discovery' && dialect.offers('oauth.discovery') ? discovery(id) : authorize(id),
    scaRedirect: (id: string) => `${urls().psu}${dialect.pathOf('sca.redirect', { authorisationId: id })}`,
    psu: () => urls().psu,
  };
}

export function href(url: string): { href: string } {
  return { href: url };
}
