/** Which of the sandbox's literal values are acceptable: all of them, under profile sandbox only. */
import { type SandboxConsent, sandboxCodeScope, sandboxConsent } from '../../spec/index.js';
import type { JudgeOptions } from '../rule.js';

export function isSandboxCode(code: string): boolean {
  return sandboxCodeScope(code) !== undefined;
}

/** The sandbox consent of that id, where literal ids are acceptable. */
export function acceptedSandboxConsent(id: string, options: JudgeOptions): SandboxConsent | undefined {
  return options.profile === 'sandbox' ? sandboxConsent(id) : undefined;
}
