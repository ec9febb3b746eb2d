/** How the address of a store is shown and logged. */

/** The user is shown only where what follows `@` is a host: without one, the password may stand in its place. */
const SOUND = /^([\s"']*[a-z][a-z0-9+.-]*:\/\/)([^:@/?#]+)(?::.*)?@(?=[^@/?#]+[^@]*$)/is;
const BEFORE_HOST = /(?<!^file):(\/*)(?=[^/]).*@/is;
/** A user and more that is no port, and no host behind it. */
const WITHOUT_HOST = /^([\s"']*[a-z][a-z0-9+.-]+:\/*[^:@/[]*):(?!\d{1,5}(?:[/?#]|$)).*/is;
const FIELD = /((?:^|[?&;\s])(?:pg)?(?:password|passwd|pwd)\s*=)[^&;\s#]*/gi;

/** Takes whatever may be a password out of a text that somebody may have meant as an address. */
export function storeName(address: string): string {
  const bare = SOUND.test(address)
    ? address.replace(SOUND, '$1$2@')
    : address.replace(BEFORE_HOST, ':$1…@').replace(WITHOUT_HOST, '$1:…');
  return bare.replace(FIELD, '$1…');
}
