/**
 * The living bank's own pages on the PSU listener: the forms of an SCA. They are no operations of the interface, and
 * what is posted there is the PSU's doing, which no rule judges.
 */
const AUTHORIZE = '/authorization/authorize/';

/** Whether a request for the PSU listener is for one of the pages. `path` without query, as it came. */
export function isBankPage(segment: string, method: string, path: string): boolean {
  return method === 'POST' && path.startsWith(`/${segment}${AUTHORIZE}`);
}
