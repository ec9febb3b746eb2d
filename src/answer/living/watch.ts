/** What a payment's creation promises about notifications (reading `notify-all`). */
import type { Watch } from '../../bank/index.js';
import type { Call, HeaderList } from '../../exchange/index.js';
import type { LivingBank } from './living.js';

/** What the TPP asked for and will get; null where it asked for nothing, or gets nothing. */
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
