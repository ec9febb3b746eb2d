/** Explains in plain words why a TLS handshake failed, without certificate or bytes of the wire. */

const CAUSES: Readonly<Record<string, string>> = {
  ERR_SSL_HTTP_REQUEST: 'plain HTTP was sent to a TLS port; the address must begin with https',
  ERR_SSL_HTTPS_PROXY_REQUEST: 'a proxy request in plain HTTP was sent to a TLS port',
  ERR_SSL_WRONG_VERSION_NUMBER: 'what arrived is not TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'what arrived is not TLS',
  ERR_SSL_BAD_RECORD_TYPE: 'what arrived is not TLS',
  ERR_SSL_UNEXPECTED_MESSAGE: 'what arrived is not a TLS handshake',
  ERR_SSL_RECORD_LAYER_FAILURE: 'what arrived is not TLS',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'the client offers no TLS version of 1.2 or newer',
  ERR_SSL_VERSION_TOO_LOW: 'the client offers no TLS version of 1.2 or newer',
  ERR_SSL_INAPPROPRIATE_FALLBACK: 'the client fell back to an older TLS version',
  ERR_SSL_NO_SHARED_CIPHER: 'the client offers no cipher that the gateway accepts',
  ERR_SSL_NO_SUITABLE_SIGNATURE_ALGORITHM:
    'the client offers no signature algorithm that the gateway has a key for',
  ERR_SSL_NO_SHARED_SIGNATURE_ALGORITHMS: 'client and gateway have no signature algorithm in common',
  ERR_SSL_NO_SUITABLE_KEY_SHARE: 'client and gateway have no key exchange group in common',
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: 'the client does not trust the CA of the gateway’s server certificate',
  ERR_SSL_TLSV1_ALERT_CERTIFICATE_UNKNOWN: 'the client does not accept the gateway’s server certificate',
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN: 'the client does not accept the gateway’s server certificate',
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: 'the client does not accept the gateway’s server certificate',
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: 'for the client, the gateway’s server certificate has expired',
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: 'the client found nothing in common with the gateway',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'the client wants another TLS version',
  ERR_SSL_BAD_SIGNATURE: 'the client could not prove that it holds the key of its certificate',
  ERR_SSL_WRONG_SIGNATURE_TYPE: 'the client signed with an algorithm that was not agreed on',
  ERR_SSL_DECODE_ERROR: 'a handshake message could not be read',
  ERR_SSL_BAD_EXTENSION: 'a handshake message could not be read',
  ERR_SSL_EXCESSIVE_MESSAGE_SIZE: 'a handshake message was too large',
  ERR_SSL_EE_KEY_TOO_SMALL: 'the key of the client certificate is too small',
  ERR_SSL_CA_MD_TOO_WEAK: 'the client certificate is signed with a digest that is too weak',
  ERR_TLS_HANDSHAKE_TIMEOUT: 'it was not finished in time',
  ECONNRESET: 'the client closed the connection',
  EPIPE: 'the client closed the connection',
};

/** A sentence; the code of an unknown cause is named. */
export function describeHandshakeFailure(error: NodeJS.ErrnoException): string {
  const code = error.code ?? 'unknown';
  const cause = Object.hasOwn(CAUSES, code) ? CAUSES[code] : `the cause is ${code.slice(0, 80)}`;
  return `The TLS handshake failed: ${cause}.`;
}

const PARSE_PROBLEMS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'the header fields are too large',
  HPE_INVALID_METHOD: 'the method is not an HTTP method',
  HPE_INVALID_URL: 'the request target contains characters that are not allowed',
  HPE_INVALID_VERSION: 'the version is not an HTTP version',
  HPE_INVALID_CONSTANT: 'the request line is malformed',
  HPE_INVALID_HEADER_TOKEN: 'a header field is malformed',
  HPE_INVALID_CONTENT_LENGTH: 'Content-Length is malformed, or stands beside Transfer-Encoding',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'Content-Length is repeated',
  HPE_INVALID_TRANSFER_ENCODING: 'Transfer-Encoding is malformed, or stands beside Content-Length',
  HPE_INVALID_CHUNK_SIZE: 'the size of a chunk is malformed',
  HPE_INVALID_EOF_STATE: 'the connection ended in the middle of a request',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'the chunk extensions are too large',
  HPE_LF_EXPECTED: 'a line ends without line feed',
  HPE_CR_EXPECTED: 'a line ends without carriage return',
  HPE_CLOSED_CONNECTION: 'data came after the end of the last request',
  // Node loses what follows on a TLS connection when the answers of a deep pipeline are not read in time.
  HPE_PAUSED: 'too many requests were sent ahead of their answers; wait for answers in between',
  HPE_PAUSED_H2_UPGRADE: 'HTTP/2 is not offered',
  ERR_HTTP_REQUEST_TIMEOUT: 'it did not arrive in time',
};

/** Half a sentence on what is wrong with bytes that are no request. */
export function describeParseFailure(error: NodeJS.ErrnoException): string {
  const code = error.code ?? 'unknown';
  return (
    (Object.hasOwn(PARSE_PROBLEMS, code) ? PARSE_PROBLEMS[code] : undefined) ??
    `it is malformed (${code.slice(0, 80)})`
  );
}
