/** The booking status is there and known. */
import { queryValue } from '../../exchange/index.js';
import { BOOKING_STATUSES } from '../checks/booking-statuses.js';
import { defineRule } from '../rule.js';

export default defineRule({
  id: 'accounts/booking-status',
  statement: 'bookingStatus is present, and booked, pending, both, all or information',
  clauses: ['endpoint.accounts.transactions'],
  sources: ['BG'],
  judges: 'tpp',
  severity: { sandbox: 'must', production: 'must' },
  scope: 'call',
  appliesTo: ['accounts.transactions'],
  needs: [],
  refusal: { code: 'FORMAT_ERROR' },
  why: 'The bank cannot tell which entries are asked for.',
  fix: 'Send bookingStatus=booked, or another of the five values that the bank offers.',
  examples: { complies: '?bookingStatus=booked', violates: '?dateFrom=2026-05-01, without bookingStatus' },
  check: ({ call }) => {
    const status = queryValue(call, 'bookingStatus');
    return (
      (status !== undefined && BOOKING_STATUSES.includes(status)) || {
        place: 'query bookingStatus',
        expected: BOOKING_STATUSES.join(', '),
        actual: status ?? 'absent',
      }
    );
  },
});
