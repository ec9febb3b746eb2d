/** nginx: `proxy_set_header X-SSL-Cert $ssl_client_escaped_cert`, percent-encoded PEM of the client's own certificate. */
import { type ForwardedRead, readPemText, single } from './read.js';

export function readNginx(cert: readonly string[]): ForwardedRead {
  const value = single(cert);
  if (value === undefined) return null;
  return typeof value === 'object' ? value : readPemText(value);
}
