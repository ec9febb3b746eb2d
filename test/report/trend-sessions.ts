/** Four sessions of two TPPs in front of a bank, a week apart, of which rules come and go. */
import type { LocalStore } from '../../src/store/index.js';
import { aCertificate, NOW, OTHER_TPP, organisation } from '../builders.js';
import { CONSENT } from '../rules/ledger-of.js';
import { record, type Sent, VALID } from './a-recording.js';

const WEEK = 7 * 86_400_000;
export const SESSIONS = ['june-1', 'june-2', 'june-3', 'july-1'] as const;

const read = (headers: Record<string, string | undefined>, more: Partial<Sent['call']> = {}): Sent => ({
  call: {
    operation: 'accounts.balances',
    params: { accountId: 'ACCOUNT_ID' },
    headers: {
      ...{ Authorization: 'Bearer access-3', 'Consent-Id': CONSENT, 'PSU-IP-Address': '192.0.2.1' },
      ...headers,
    },
    ...more,
  },
  answer: { body: { balances: [] } },
});

const down: Sent = {
  ...read({}),
  answer: { status: 503, body: {} },
};
const ofOther = (sent: Sent): Sent => {
  const own = { organizationIdentifier: organisation(OTHER_TPP), organization: 'Other TPP' };
  const certificate = aCertificate({ fingerprint256: 'cd'.repeat(32), ...own });
  return { ...sent, call: { ...sent.call, certificate } };
};

export function recordTrend(store: LocalStore): void {
  const start = (week: number) => ({ start: NOW + week * WEEK });
  record(store, [...VALID, read({ 'PSU-IP-Address': 'nowhere' })], { session: SESSIONS[0], ...start(0) });
  record(store, [...VALID, read({}), ...Array.from({ length: 6 }, () => down)], {
    session: SESSIONS[1],
    ...start(1),
  });
  record(
    store,
    [...VALID, read({ 'X-Request-ID': undefined }), ofOther(read({ 'X-Request-ID': undefined }))],
    {
      session: SESSIONS[2],
      profile: 'production',
      ...start(2),
    },
  );
  record(store, [read({}), read({ 'X-Request-ID': undefined }), ofOther(read({}))], {
    session: SESSIONS[3],
    ...start(3),
  });
}
