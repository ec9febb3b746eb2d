/**
 * The simulation endpoint for the payment status notification: answers at once and sends the notification afterwards.
 */
import {
  isAbsoluteHttpUri,
  PAYMENT_STATUSES,
  type PaymentStatus,
  simulationRequest,
} from '../../spec/index.js';
import { refuse } from '../answer-refusal.js';
import { answerJson } from '../render.js';
import type { Bank, Handlers } from './bank.js';

export function createNotificationHandlers({ onNotification }: Bank): Handlers<'notifications'> {
  return {
    'notifications.simulate': (call) => {
      const { content, tpp } = call;
      const request = content.kind === 'json' ? simulationRequest.safeParse(content.value).data : undefined;
      if (request === undefined) return refuse(call, 'FORMAT_ERROR');
      const { paymentId, tppNotificationUri: uri, status } = request;
      if (!isAbsoluteHttpUri(uri)) return refuse(call, 'FORMAT_ERROR', { path: 'tppNotificationUri' });
      if (!isPaymentStatus(status)) return refuse(call, 'FORMAT_ERROR', { path: 'status' });
      const refusal = onNotification({ uri, paymentId, transactionStatus: status, tpp }, call.id);
      if (refusal === null) return answerJson(call, 'emulator', 202, {});
      if (refusal.kind === 'busy') return refuse(call, 'SERVICE_UNAVAILABLE', { text: refusal.reason });
      return refuse(call, 'FORMAT_ERROR', { path: 'tppNotificationUri', text: refusal.reason });
    },
  };
}

function isPaymentStatus(text: string): text is PaymentStatus {
  return Object.hasOwn(PAYMENT_STATUSES, text);
}
