import { type FoundLink, jsonPath, membersOf } from '../../exchange/index.js';
import {
  BOOKING_STATUSES,
  type Dialect,
  isBookingStatus,
  isDate,
  PAYMENT_SERVICES,
} from '../../spec/index.js';
import { hasBody } from '../checks/bank-answer.js';
import { mayHaveBody } from '../needs.js';
import { defineRule, type ExchangeContext, type Outcome, type Violation, violation } from '../rule.js';

const MOST = 10;
/** Others (transactionDetails, card, download) lead beyond the specification, and scaOAuth to any page of the bank. */
const OF_OPERATIONS = new Set([
  'scaStatus',
  'self',
  'status',
  'account',
  'balances',
  'transactions',
  'first',
  'next',
  'previous',
  'last',
  'Location',
]);

export default defineRule({
  id: 'answers/links-are-reachable',
  statement:
    "Links are relative, or absolute at the bank's own addresses, and name a known operation; scaOAuth may lead to any page of the bank",
  sources: ['BG'],
  judges: 'aspsp',
  severity: { sandbox: 'should', production: 'should' },
  appliesTo: hasBody,
  needs: ['bank-success'],
  looksAt: 'answer',
  why: 'A client that follows its links ends at another host, at a path that answers 404, or with a query that is refused.',
  fix: 'Build links from the public address and paths of the interface.',
  examples: {
    complies: '"self":{"href":"/stdgroup/v1/consents/VALID_CONSENT_ID"}',
    violates: '"self":{"href":"http://10.0.0.7:8080/consent-backend/VALID_CONSENT_ID"}',
  },
  check,
});

function check(context: ExchangeContext): Outcome {
  const { answer } = context;
  const violations: Violation[] = [];
  const location = answer.status === 201 ? answer.header.location : undefined;
  if (location !== undefined) {
    const expected = problemOf('Location', location, context);
    if (expected !== undefined) violations.push(violation('answer header Location', expected, location));
  }
  const { links } = membersOf(answer);
  if (links.length > 0) violations.push(...judgeLinks(links, context));
  if (links.length > 0 || location !== undefined) return violations;
  return answer.content.kind === 'not-observed' && mayHaveBody(context) ? 'not-observed' : 'not-applicable';
}

function judgeLinks(links: readonly FoundLink[], context: ExchangeContext): readonly Violation[] {
  const violations: Violation[] = [];
  for (const link of links) {
    const expected = problemOf(link.name, link.href, context);
    if (expected !== undefined)
      violations.push(violation(`answer body ${jsonPath(link.path)}`, expected, link.href));
    if (violations.length >= MOST) break;
  }
  return violations;
}

function problemOf(name: string, href: string, context: ExchangeContext): string | undefined {
  const target = targetOf(name, href, context);
  if (target === 'no URL') return 'a URL';
  if (target === 'elsewhere') return "an address of the bank's own";
  if (!OF_OPERATIONS.has(name) && !name.startsWith('startAuthorisation')) return undefined;
  const { dialect } = context.options;
  const { expected, unknownProduct } = judgeLinkTarget(belowBase(target.address, dialect), dialect);
  // A product that the client itself called by that name is the client's fault.
  return unknownProduct !== undefined && unknownProduct === context.call.params.paymentProduct
    ? undefined
    : expected;
}

/** The interface may lie below a path of the bank's own, which a recording does not tell. */
function belowBase(address: string, { startOf }: Dialect): string {
  const base = startOf(address);
  const mark = address.indexOf('?');
  return base > 0 && (mark < 0 || base < mark) ? address.slice(base) : address;
}

type Target = { readonly address: string } | 'elsewhere' | 'no URL';

/** Plain addresses, by far the most, are read without parsing them as URLs. */
const PLAIN_ADDRESS = /^\/(?![/\\])[A-Za-z0-9_\-./~%]*(?:\?[^#]*)?(?=#|$)/;
const ORIGIN = /^https?:\/\/[a-z0-9.:[\]-]+(?=\/)/;

function targetOf(name: string, href: string, { call, options }: ExchangeContext): Target {
  const origin = ORIGIN.exec(href)?.[0] ?? '';
  if (origin === '' || options.bankOrigins.has(origin)) {
    const address = PLAIN_ADDRESS.exec(origin === '' ? href : href.slice(origin.length))?.[0];
    if (address !== undefined && !address.includes('/.')) return { address };
  }
  let url: URL;
  try {
    url = new URL(href, `https://bank.invalid${call.request.path}`);
  } catch {
    return 'no URL';
  }
  if (url.host === 'bank.invalid' || options.bankOrigins.has(url.origin))
    return { address: url.pathname + url.search };
  // The host that was called is the bank's own, whatever else is.
  const host = (call.header.host ?? '').toLowerCase().replace(/:443$/, '');
  return url.host === host || isLoginPage(name, url, options.dialect)
    ? { address: url.pathname + url.search }
    : 'elsewhere';
}

/**
 * Banks let the PSU log in at a host of its own, which no entry of a file need name; an inner address it is not. Links
 * that only this bank has may lead there too.
 */
function isLoginPage(name: string, { protocol, hostname }: URL, { isFurtherLink }: Dialect): boolean {
  const leadsAway = name === 'scaOAuth' || isFurtherLink(name);
  return leadsAway && protocol === 'https:' && /\.[a-z][a-z0-9-]*$/.test(hostname);
}

interface LinkTarget {
  /** A description of a correct address; undefined if a client can follow this one. */
  readonly expected?: string;
  /** The product that its path names, where the interface has none of that name. */
  readonly unknownProduct?: string;
}

const FOLLOWABLE: LinkTarget = {};

function judgeLinkTarget(address: string, dialect: Dialect): LinkTarget {
  if (dialect.isPlainPath(address)) return FOLLOWABLE;
  const [path = '', query = ''] = address.split('?', 2);
  const found = dialect.recognise('GET', path);
  if (found.kind === 'path-unknown')
    return dialect.isBesideStandard('GET', path) ? FOLLOWABLE : { expected: 'the path of a known operation' };
  const { paymentService, paymentProduct } = found.params;
  if (paymentProduct !== undefined && dialect.productOf(paymentService, paymentProduct) === undefined)
    return {
      expected: `a product of the interface: ${PAYMENT_SERVICES.flatMap(dialect.productsOf).join(', ')}`,
      unknownProduct: paymentProduct,
    };
  if (found.kind !== 'operation' || found.operation !== 'accounts.transactions' || query === '')
    return FOLLOWABLE;
  return judgeQuery(new URLSearchParams(query));
}

/** By what accounts/booking-status and accounts/date-range ask of the client that follows it. */
function judgeQuery(query: URLSearchParams): LinkTarget {
  const unknown = query.getAll('bookingStatus').find((status) => !isBookingStatus(status));
  if (unknown !== undefined) return { expected: `a bookingStatus of ${BOOKING_STATUSES.join(', ')}` };
  for (const name of ['dateFrom', 'dateTo'])
    if (query.getAll(name).some((date) => !isDate(date))) return { expected: `a date YYYY-MM-DD as ${name}` };
  const [from, to] = [query.get('dateFrom'), query.get('dateTo')];
  return from !== null && to !== null && from > to
    ? { expected: 'a dateTo not before dateFrom' }
    : FOLLOWABLE;
}
