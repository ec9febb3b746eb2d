/** Predicates for addresses: of the web, of any scheme, and those that a browser can be sent back to. Pure and total. */

const HTTP_URI = /^https?:\/\/(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/i;
const URI = /^[a-z][a-z0-9+.-]*:(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/i;

/** Schemes that a browser handles itself, without an application behind them (reading `redirect-uri-any`). */
const OF_THE_BROWSER = /^(?:about|blob|data|file|filesystem|javascript|vbscript|view-source):/i;

/** The first part of a scheme, a dot, and more of it: a domain of the app's maker, written backwards (RFC 8252 7.1). */
const APP_SCHEME = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+:/i;
/** `tpp.example:8443/cb` is a host with its port, and only by the letter a scheme with a path. */
const HOST_AND_PORT = /^[^:]+:\d+(?:[/?#]|$)/;
const LOOPBACK = /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** An absolute http or https URI, written in the characters of RFC 3986. It may hold a fragment. */
export function isAbsoluteHttpUri(text: string): boolean {
  return HTTP_URI.test(text) && URL.canParse(text) && /^https?:\/\/[^/?#]/i.test(text);
}

/**
 * An absolute URI of any scheme (RFC 3986 4.3) to which a browser can be redirected: one of the web, or of an app,
 * such as `com.tpp.app://callback` or `com.tpp.app:/callback`. It may hold a fragment.
 */
export function isReturnAddress(text: string): boolean {
  if (/^https?:/i.test(text)) return isAbsoluteHttpUri(text);
  return URI.test(text) && !OF_THE_BROWSER.test(text) && URL.canParse(text);
}

/**
 * Whether nobody on the way can read or take over what comes back to a return address: https, an app's own scheme in
 * reverse-domain form, or http that stays on the PSU's device (RFC 8252 7, RFC 9700 2.6).
 */
export function isSecureReturnAddress(uri: string): boolean {
  if (/^https:/i.test(uri)) return true;
  if (/^http:/i.test(uri)) return URL.canParse(uri) && LOOPBACK.test(new URL(uri).hostname);
  return APP_SCHEME.test(uri) && !HOST_AND_PORT.test(uri);
}
