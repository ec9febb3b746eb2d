/** The texts of a payment with their greatest lengths in characters. */
import { type Call, isFingerprint } from '../../exchange/index.js';
import { bodyMember } from './request-body.js';

export const PAYMENT_TEXTS = [
  ['creditorName', 70],
  ['endToEndIdentification', 35],
  ['remittanceInformationUnstructured', 140],
] as const;

/** The text of a member, where it is one and stands there in clear. */
export function clearText(call: Call, name: string): string | undefined {
  const text = bodyMember(call, name);
  return typeof text === 'string' && text !== '' && !isFingerprint(text) ? text : undefined;
}
