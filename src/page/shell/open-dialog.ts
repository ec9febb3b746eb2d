/** Which dialog is open; null: none. */
import { signal } from '@preact/signals';
import type { Detail } from '../../admin/index.js';

type OpenDialog =
  | { readonly kind: 'keys' }
  | { readonly kind: 'mark' }
  | { readonly kind: 'session' }
  | { readonly kind: 'resend'; readonly exchange: Detail }
  | { readonly kind: 'waive'; readonly exchange: Detail; readonly finding: Detail['findings'][number] };

export const dialog = signal<OpenDialog | null>(null);
