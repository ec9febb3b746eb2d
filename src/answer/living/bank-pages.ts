/**
 * The living bank's own pages on the PSU listener: the forms of an SCA, the access that a PSU gave, and what stands at
 * `/`. They are no operations of the interface, and what is posted there is the PSU's doing, which no rule judges.
 */
const AUTHORIZE = '/authorization/authorize/';
const ACCESS = '/authorization/access';

export type BankPage = 'sca' | 'access' | 'home';
const READ = ['GET', 'HEAD'];

/** The page that a request for the PSU listener is for; null: none of them. `path` without query, as it came. */
export function bankPageAt(segment: string, method: string, path: string): BankPage | null {
  if (path === '/') return READ.includes(method) ? 'home' : null;
  if (path === accessPath(segment)) return method === 'POST' || READ.includes(method) ? 'access' : null;
  return method === 'POST' && path.startsWith(`/${segment}${AUTHORIZE}`) ? 'sca' : null;
}

/** The path of the page on which a PSU sees its consents and payments. */
export function accessPath(segment: string): string {
  return `/${segment}${ACCESS}`;
}
