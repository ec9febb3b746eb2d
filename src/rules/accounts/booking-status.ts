import { queryValue } from '../../exchange/index.js';
import { BOOKING_STATUSES, isBookingStatus } from '../../spec/index.js';
import { unlessGiven } from '../checks/given-link.js';
import { contradiction } from '../checks/parameters.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'accounts/booking-status',
  statement:
    'bookingStatus is present, and booked, pending, both, all or information (not applicable if the TPP follows a link of the bank unchanged)',
  clauses: ['endpoint.accounts.transactions'],
  sources: ['BG'],
  appliesTo: ['accounts.transactions'],
  refusal: { code: 'FORMAT_ERROR' },
  why: 'The bank cannot tell which entries are asked for.',
  fix: 'Send bookingStatus=booked, or another of the five values that the bank offers.',
  examples: { complies: '?bookingStatus=booked', violates: '?dateFrom=2026-05-01, without bookingStatus' },
  check: (context) => {
    const twice = contradiction(context.call, 'bookingStatus');
    if (twice !== undefined) return unlessGiven(context, [twice]);
    const status = queryValue(context.call, 'bookingStatus');
    if (status !== undefined && isBookingStatus(status)) return true;
    const { queryIs } = context.options.dialect;
    if (status === undefined && queryIs('bookingStatus', context.call.operation) === 'optional')
      return 'not-applicable';
    const expected = BOOKING_STATUSES.join(', ');
    return unlessGiven(context, [violation('query bookingStatus', expected, status ?? 'absent')]);
  },
});
