/** What stands in clear in a payment. */
import { type Call, isFingerprint } from '../../exchange/index.js';
import { bodyMember } from './request-body.js';

/** The text of a member, where it is one and stands there in clear. */
export function clearText(call: Call, name: string): string | undefined {
  const text = bodyMember(call, name);
  return typeof text === 'string' && text !== '' && !isFingerprint(text) ? text : undefined;
}
