/** The bank's own deviations: what it did otherwise, in which answers, and what a client may rely on all the same. */
import type { FindingGroup, Report } from '../model.js';
import { type Collector, createTallies, order } from './collector.js';

const MOST_SEEN = 8;
const MOST_EXCHANGES = 5;

const noneSeen = () => ({
  sources: new Set<string>(),
  seen: createTallies(MOST_SEEN),
  operations: new Set<string>(),
  exchanges: new Set<string>(),
});

export function collectDeviations(): Collector<
  (groups: readonly FindingGroup[]) => Report['bankDeviations']
> {
  const found = new Map<string, ReturnType<typeof noneSeen>>();
  return {
    take({ record: { exchange, findings } }) {
      for (const { rule, judges, place, actual } of findings) {
        if (judges !== 'aspsp') continue;
        const row = found.get(rule) ?? noneSeen();
        found.set(rule, row);
        row.sources.add(exchange.answer?.source ?? 'none');
        row.operations.add(exchange.call.operation ?? exchange.call.listener);
        row.seen.add(actual === undefined ? `${place}: missing` : `${place}: ${actual}`);
        if (row.exchanges.size < MOST_EXCHANGES) row.exchanges.add(exchange.call.id);
      }
    },
    finish: () => (groups) =>
      groups.flatMap(({ rule, severity, statement, count }) => {
        const row = found.get(rule);
        if (row === undefined) return [];
        return [
          {
            rule,
            severity,
            statement,
            count,
            operations: [...row.operations].sort(order),
            sources: [...row.sources].sort(order),
            seen: row.seen.list().map(({ value }) => value),
            rely: RELIANCE[rule] ?? RELY_ON_NOTHING,
            exchanges: [...row.exchanges],
          },
        ];
      }),
  };
}

/** A client may still rely on this when a bank breaks the rule. */
const RELIANCE: Readonly<Record<string, string>> = {
  'answers/amounts-are-strings':
    'Read amounts whether they are strings or numbers, and never through binary floating point.',
  'answers/body-well-formed':
    'Treat every field of the answers as optional; rely on the status code and on the fields that are present.',
  'answers/callback-body':
    'Treat a notification as a hint only: read the payment status from the interface before acting on it.',
  'answers/consent-status-known':
    'Treat a consent status that you do not know as not usable, and ask again later.',
  'answers/creation-links':
    'If a link is missing, build the addresses of status, authorisation and discovery from the id in the answer.',
  'answers/date-times-have-offset':
    'Treat times without offset as the bank’s local time, accurate to the day at most.',
  'answers/discovery-document': 'Configure the endpoints that the document lacks; those it has may be used.',
  'answers/error-body': 'Go by the status code; an error body may be missing or of another form.',
  'answers/error-code-matches-status':
    'Go by the message code, or without one by the class of the status (4xx, 5xx).',
  'answers/limit-not-early':
    'Send PSU-IP-Address whenever the PSU is present, and expect that 429 may come before the fourth access.',
  'answers/links-are-reachable':
    'Follow links by their path only, at the address that you have configured for the bank.',
  'answers/location-present': 'Take the address of the new resource from the self link or from its id.',
  'answers/payment-status-known':
    'Treat a payment status that you do not know as pending: neither settled nor rejected.',
  'answers/redirect-carries-state':
    'Treat a redirect without the state that you sent as forged, and start the authorisation again.',
  'answers/request-id-echoed':
    'Pair answers with requests by the connection; give the bank your own X-Request-ID when you ask about a call.',
  'answers/sca-status-known':
    'Treat an authorisation status that you do not know as not finished, and stop polling after a time that you choose.',
  'answers/status-expected':
    'Branch on the class of the status: 2xx succeeded, 4xx will not succeed as it is, 5xx may be tried again.',
  'answers/status-moves-forward':
    'Keep the furthest status that you received, and ask again before you act on one that falls back.',
  'answers/token-not-cached': 'Ask for tokens through no proxy that keeps answers.',
  'answers/token-response':
    'Assume a short lifetime if expires_in is missing, and start a new authorisation if there is no refresh token.',
  'answers/token-scope-names-resource':
    'Remember for which consent or payment you asked for the token; do not read it from the scope.',
};

const RELY_ON_NOTHING = 'Nothing in particular: handle the deviation as it is seen here.';
