/** Answers of the admin API: what is asked for, or why it cannot be had, in a sentence. */
import type { FastifyReply } from 'fastify';
import { type FaultCode, SandgateError } from '../spec/index.js';

const STATUS: Partial<Record<FaultCode, number>> = {
  'bank.sandbox': 409,
  'bank.shared': 409,
  'replay.none': 404,
  'exchange.unknown': 404,
  'session.not-there': 404,
  'session.not-open': 409,
  'resend.unnamed': 409,
  'resend.no-call': 409,
  'resend.no-certificate': 404,
  'exchange.none-good': 404,
  'exchange.not-of-bank': 409,
  'bank.many-snapshots': 409,
  'bank.no-world': 404,
  'bank.no-snapshots': 404,
  'bank.no-snapshot': 404,
  'bank.no-consent': 404,
  'bank.no-payment': 404,
  'bank.consent-status': 409,
  'bank.payment-status': 409,
  'bank.no-psu': 404,
};

export async function answer(reply: FastifyReply, work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SandgateError)) throw error;
    reply.code(STATUS[error.code as FaultCode] ?? (error.kind === 'surroundings' ? 503 : 400));
    return { error: error.message };
  }
}
