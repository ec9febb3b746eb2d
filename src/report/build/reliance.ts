/** For each rule that a bank breaks: what a client may still rely on, in a sentence for its developer. */

export const RELIANCE: Readonly<Record<string, string>> = {
  'answers/amounts-are-strings':
    'Read amounts whether they are strings or numbers, and never through binary floating point.',
  'answers/body-well-formed':
    'Take every field of the answers as optional, and go by the status code and by the fields that are there.',
  'answers/callback-body':
    'Take a callback as a hint only: read the payment status from the interface before acting on it.',
  'answers/consent-status-known':
    'Treat a consent status that you do not know as not usable, and ask again later.',
  'answers/creation-links':
    'Build the addresses of status, authorisation and discovery from the id in the answer where a link is missing.',
  'answers/date-times-have-offset':
    'Take times without offset as local time of the bank, to the day at most.',
  'answers/discovery-document':
    'Configure the endpoints that the document lacks yourself; what it does hold may be used.',
  'answers/error-body': 'Go by the status code; an error body may be missing or of another form.',
  'answers/error-code-matches-status':
    'Go by the message code where there is one, and by the class of the status (4xx, 5xx) otherwise.',
  'answers/limit-not-early':
    'Send PSU-IP-Address whenever the PSU is present, and take 429 as an answer that may come before the fourth access.',
  'answers/links-are-reachable':
    'Follow links by their path only, at the address that you have configured for the bank.',
  'answers/location-present': 'Take the address of the new resource from the self link or from its id.',
  'answers/payment-status-known':
    'Treat a payment status that you do not know as pending: neither settled nor rejected.',
  'answers/redirect-carries-state':
    'Take a redirect without the state that you sent for forged, and begin the authorisation anew.',
  'answers/request-id-echoed':
    'Pair answers with requests by the connection; give the bank your own X-Request-ID when you ask about a call.',
  'answers/sca-status-known':
    'Treat an authorisation status that you do not know as not finished, and end polling after a time of your own.',
  'answers/status-expected':
    'Branch on the class of the status: 2xx succeeded, 4xx will not succeed as it is, 5xx may be tried again.',
  'answers/status-moves-forward':
    'Keep the furthest status that you were told, and ask again before you act on one that falls back.',
  'answers/token-not-cached': 'Ask for tokens through no proxy that keeps answers.',
  'answers/token-response':
    'Take the lifetime of a token as short where expires_in is missing, and begin anew where no refresh token is given.',
  'answers/token-scope-names-resource':
    'Remember for which consent or payment you asked for the token; do not read it from the scope.',
};

export const RELY_ON_NOTHING =
  'Nothing beyond what the other rules show: handle the deviation as it is seen here.';
