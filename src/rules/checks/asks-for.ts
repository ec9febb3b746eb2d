/** Whether the bank asks its TPPs to sign what they send. */
import type { JudgeOptions } from '../rule.js';

/** `optional`: what is sent is judged, and need not be sent. `none`: nothing is judged. */
export type Asks = 'required' | 'optional' | 'none';

export function asksFor({ dialect }: JudgeOptions): { readonly signature: Asks; readonly digest: Asks } {
  const { signature = 'none', digest = 'none' } = dialect.profile?.headers ?? {};
  return { signature, digest };
}

/** Whether signatures are looked at. */
export const takesSignatures = (options: JudgeOptions): boolean => asksFor(options).signature !== 'none';

export const takesDigests = (options: JudgeOptions): boolean =>
  takesSignatures(options) || asksFor(options).digest !== 'none';
