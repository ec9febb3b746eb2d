/** The one payment of the sandbox for each product, as each service has it (reading `sandbox-orders`). */
import { dateOf, type ProductCode, type SandboxData } from '../../spec/index.js';

export function sandboxPayment(
  { payments }: SandboxData,
  code: ProductCode,
  service: string | undefined,
  today: number,
): Record<string, unknown> {
  const { requestedExecutionDay, ...payment } = payments[code];
  const day = dateOf(today + requestedExecutionDay);
  switch (service) {
    case 'periodic-payments':
      return { ...payment, startDate: day, executionRule: 'following', frequency: 'Monthly' };
    case 'bulk-payments': {
      const { debtorAccount, ...part } = payment;
      return { debtorAccount, requestedExecutionDate: day, batchBookingPreferred: false, payments: [part] };
    }
    default:
      return { ...payment, requestedExecutionDate: day };
  }
}
