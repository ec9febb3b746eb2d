/** The promise of notifications in a payment's creation (reading `notify-all`). */
import type { Watch } from '../../bank/index.js';
import type { Call, HeaderList } from '../../exchange/index.js';
import type { LivingBank } from './living.js';

/** The notifications that the TPP asked for and will get; null if there are none. */
export function watchOf(bank: LivingBank, { header }: Call, told: Watch['told']): Watch | null {
  const uri = header['tpp-notification-uri'];
  if (uri === undefined || !bank.notifies(uri)) return null;
  const preferred = header['tpp-notification-content-preferred'] ?? '';
  const onlyLast = /\bLAST\b/i.test(preferred) && !/\bPROCESS\b/i.test(preferred);
  return { uri, content: onlyLast ? 'LAST' : 'PROCESS', told };
}

/** The headers that say so. */
export function promiseOf({ header }: Call, watch: Watch | null): HeaderList {
  if (header['tpp-notification-uri'] === undefined) return [];
  if (watch === null) return [['ASPSP-Notification-Support', 'false']];
  return [
    ['ASPSP-Notification-Support', 'true'],
    ['ASPSP-Notification-Content', `status=${watch.content}`],
  ];
}
