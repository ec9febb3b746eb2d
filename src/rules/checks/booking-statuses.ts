/** Values of bookingStatus that the standard has; of other ones no bank can tell what is meant. */
export const BOOKING_STATUSES: readonly string[] = ['booked', 'pending', 'both', 'all', 'information'];
