/** The one payment of the sandbox for each product, as each service has it (reading `sandbox-orders`). */
import {
  bankDayAt,
  dateOf,
  type PaymentStatus,
  type ProductCode,
  type SandboxData,
} from '../../spec/index.js';
import { pain002Of } from '../pain/pain-002.js';
import { pain001Of } from '../pain/write-pain-001.js';
import { renderXml } from '../pain/write-xml.js';
import type { Rendered } from '../render.js';

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

/** The names of all pain.001 that the sandbox bank pretends to have taken. */
const SENT = { version: '03', messageId: 'MESSAGE_ID', informationId: 'MESSAGE_ID' } as const;

/** The payment where the bank takes it as XML: the pain.001 of a TPP is not kept. */
export function sandboxXml(data: SandboxData, product: ProductCode, now: number): Rendered {
  const payment = sandboxPayment(data, product, 'payments', bankDayAt(now));
  return renderXml(pain001Of(payment, { messageId: SENT.messageId, createdAt: new Date(now) }));
}

export const sandboxReport = (paymentId: string, status: PaymentStatus, now: number): string =>
  pain002Of({ ...SENT, paymentId, createdAt: new Date(now), status, reason: null, parts: [] });
