/**
 * The living bank's own pages on the PSU listener: the forms of an SCA, the access that a PSU gave, and what stands at
 * `/`. They are no operations of the interface, and what is posted there is the PSU's doing, which no rule judges.
 */
import type { Dialect } from '../../spec/index.js';

/** The access page lies below the segment, wherever a profile puts the authorize endpoint. */
const ACCESS = '/authorization/access';

export type BankPage = 'sca' | 'access' | 'home';
const READ = ['GET', 'HEAD'];

/** The page that a request for the PSU listener is for; null: none of them. `path` without query, as it came. */
export function bankPageAt(dialect: Dialect, method: string, path: string): BankPage | null {
  if (path === '/') return READ.includes(method) ? 'home' : null;
  if (path === accessPath(dialect)) return method === 'POST' || READ.includes(method) ? 'access' : null;
  return method === 'POST' && isScaPath(dialect, path) ? 'sca' : null;
}

/** The path of the page on which a PSU sees its consents and payments. */
export function accessPath({ segment }: Dialect): string {
  return `/${segment}${ACCESS}`;
}

const isScaPath = ({ offers, pathOf }: Dialect, path: string): boolean =>
  (['oauth.authorize', 'sca.redirect'] as const).some(
    (page) => offers(page) && path.startsWith(pathOf(page, { authorisationId: '' })),
  );
