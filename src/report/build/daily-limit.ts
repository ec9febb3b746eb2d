/** Accesses to account information by consent, operation, account and day, against what is allowed (§Limits 1). */

import { isReplaced } from '../../exchange/index.js';
import {
  ALL_OPERATIONS,
  accessesAllowed,
  accessKey,
  accessOf as accessOfCall,
  accessTimes,
  type DailyWindow,
  keyOf,
  openDailyWindow,
  ownerOf,
  usedWithin,
} from '../../ledger/index.js';
import { LIMITS, operationRow } from '../../spec/index.js';
import type { Caps, Judging, Report } from '../model.js';
import { type Collector, order, type Seen } from './collector.js';

type Row = Report['dailyLimit']['rows'][number];

export function collectDailyLimit(judging: Counted, caps: Caps): Collector<Report['dailyLimit']> {
  const rows = new Map<string, Row>();
  const days = new Map<string, Report['dailyLimit']['days'][number]>();
  let omitted = 0;
  const window = windowOf(judging);
  return {
    take(seen) {
      const access = accessOf(seen, window);
      if (access === null || !window.isCounted) return;
      const { call } = seen.record.exchange;
      const day = window.dateAt(call.at);
      const isRefused = seen.status === 429 && !isReplaced(seen.record.exchange);
      // Further pages of a query are not accesses of their own, as in the ledger.
      const used =
        seen.ok && !access.attended
          ? usedWithin(
              accessTimes(seen.ledger, access.call, accessOfCall(call, access.tpp), window.by),
              window.spanAt(call.at),
            )
          : 0;
      const ofDay = days.get(day) ?? { day, most: 0, allowed: window.most, refused: 0 };
      const isToTell = isRefused || used > 0;
      if (isToTell && (days.has(day) || days.size < caps.rows)) days.set(day, ofDay);
      if (isRefused) ofDay.refused++;
      if (used > ofDay.most) {
        ofDay.most = used;
        ofDay.allowed = accessesAllowed(seen.ledger, access.tpp, call.header['consent-id'] ?? '', window);
      }
      const key = `${day} ${access.key}`;
      const known = rows.get(key);
      if (known === undefined && rows.size >= caps.rows) {
        omitted++;
        return;
      }
      const row = known ?? openRow(seen, access.tpp, day, window);
      rows.set(key, row);
      if (isRefused) row.refused++;
      if (!seen.ok) return;
      if (access.attended) row.attended++;
      row.unattended = Math.max(row.unattended, used);
      row.over = Math.max(0, row.unattended - row.allowed);
    },
    finish: () => ({
      window: windowText(judging),
      rows: [...rows.values()].sort(byPlace),
      omitted,
      days: [...days.values()].sort((a, b) => order(a.day, b.day)),
    }),
  };
}

export type Counted = Pick<Judging, 'dailyWindow' | 'bankProfile'>;

export const windowOf = ({ dailyWindow, bankProfile }: Counted): DailyWindow =>
  openDailyWindow(dailyWindow, bankProfile?.limits?.accesses);

export function windowText(judging: Counted): string {
  const { setting, isCounted, by, most } = windowOf(judging);
  if (!isCounted) return 'The bank counts no accesses';
  const window =
    setting.kind === 'rolling' ? 'The 24 hours before a call' : `A calendar day, ${setting.timeZone}`;
  const number = most === LIMITS.accessesPerDay ? '' : `, at most ${most}`;
  return `${window}${number}${by === 'consent' ? ', all accesses of a consent together' : ''}`;
}

function accessOf({ record: { exchange } }: Seen, { by }: DailyWindow) {
  const { call } = exchange;
  const consent = call.header['consent-id'];
  const tpp = ownerOf(call);
  if (call.operation === null || consent === undefined || consent === '' || tpp === null) return null;
  if (!operationRow(call.operation).counted) return null;
  const attended = accessKey(call) === null && call.request.hasPsuAddress;
  const own = keyOf.access(tpp, consent, call.operation, call.params.accountId ?? '');
  return { tpp, call: own, key: by === 'consent' ? keyOf.access(tpp, consent, '', '') : own, attended };
}

function openRow({ record: { exchange }, ledger }: Seen, tpp: string, day: string, window: DailyWindow): Row {
  const isOfAll = window.by === 'consent';
  const { call } = exchange;
  const consent = call.header['consent-id'] ?? '';
  return {
    tpp,
    consent: consent.slice(0, 200),
    operation: isOfAll ? ALL_OPERATIONS : (call.operation ?? ''),
    account: isOfAll ? null : (call.params.accountId?.slice(0, 200) ?? null),
    day,
    allowed: accessesAllowed(ledger, tpp, consent, window),
    unattended: 0,
    attended: 0,
    refused: 0,
    over: 0,
  };
}

const byPlace = (a: Row, b: Row): number =>
  order(a.tpp, b.tpp) ||
  order(a.consent, b.consent) ||
  order(a.day, b.day) ||
  order(a.operation, b.operation) ||
  order(a.account ?? '', b.account ?? '');
