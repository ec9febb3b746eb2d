/** Whether the address in a link of the bank is one that the interface answers, when a client follows it. */
import {
  BOOKING_STATUSES,
  createRecogniser,
  isBookingStatus,
  isDate,
  isPlainPath,
  PAYMENT_PRODUCTS,
} from '../../spec/index.js';

export interface LinkTarget {
  /** What the address ought to be; undefined where a client can follow it. */
  readonly expected?: string;
  /** The product that its path names, where the interface has none of that name. */
  readonly unknownProduct?: string;
}

const FOLLOWABLE: LinkTarget = {};

/** `address` is path and query, without fragment. */
export function judgeLinkTarget(address: string, segment: string): LinkTarget {
  const base = `/${segment}/`;
  if (address.startsWith(base) && isPlainPath(address.slice(base.length - 1))) return FOLLOWABLE;
  const [path = '', query = ''] = address.split('?', 2);
  const found = createRecogniser(segment)('GET', path);
  if (found.kind === 'path-unknown') return { expected: 'the path of a known operation' };
  const { paymentProduct } = found.params;
  if (paymentProduct !== undefined && !Object.hasOwn(PAYMENT_PRODUCTS, paymentProduct))
    return {
      expected: `a product of the interface: ${Object.keys(PAYMENT_PRODUCTS).join(', ')}`,
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
