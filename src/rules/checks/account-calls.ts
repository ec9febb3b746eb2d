/** The consent and account that a read of account information refers to. */
import type { Call } from '../../exchange/index.js';
import { type SandboxConsent, sandboxConsent } from '../../spec/index.js';
import type { CallContext, JudgeOptions } from '../rule.js';

export function consentIdOf(call: Call): string | undefined {
  return call.header['consent-id'] || undefined;
}

/** Whether it is known who calls, and that this TPP did not create the consent, whose id is that of the header. */
export function isUnknownConsent(id: string, context: CallContext): boolean {
  if (context.call.tpp === null || acceptedSandboxConsent(id, context.options) !== undefined) return false;
  return context.consent === undefined;
}

export function acceptedSandboxConsent(id: string, options: JudgeOptions): SandboxConsent | undefined {
  return options.profile === 'sandbox' ? sandboxConsent(id) : undefined;
}
