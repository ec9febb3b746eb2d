/** Accesses to account information by consent, operation, account and day, against what is allowed (§Limits 1). */
import {
  accessesAllowed,
  accessKey,
  keyOf,
  openDailyWindow,
  ownerOf,
  usedWithin,
} from '../../ledger/index.js';
import { operationRow } from '../../spec/index.js';
import type { Caps, Judging, Report } from '../model.js';
import { type Collector, order, type Seen } from './collector.js';

type Row = Report['dailyLimit']['rows'][number];

export function collectDailyLimit(
  { dailyWindow }: Pick<Judging, 'dailyWindow'>,
  caps: Caps,
): Collector<Report['dailyLimit']> {
  const rows = new Map<string, Row>();
  let omitted = 0;
  const { spanAt, dateAt } = openDailyWindow(dailyWindow);
  return {
    take(seen) {
      const access = accessOf(seen);
      if (access === null) return;
      const { call } = seen.record.exchange;
      const day = dateAt(call.at);
      const key = `${day} ${access.key}`;
      const known = rows.get(key);
      if (known === undefined && rows.size >= caps.rows) {
        omitted++;
        return;
      }
      const row = known ?? openRow(seen, access.tpp, day);
      rows.set(key, row);
      if (seen.status === 429) row.refused++;
      if (!seen.ok) return;
      if (access.attended) row.attended++;
      else {
        // Further pages of a query are not accesses of their own, as in the ledger.
        const times = seen.ledger.accesses.get(access.key)?.times ?? [];
        row.unattended = Math.max(row.unattended, usedWithin(times, spanAt(call.at)));
        row.over = Math.max(0, row.unattended - row.allowed);
      }
    },
    finish: () => ({ window: windowText(dailyWindow), rows: [...rows.values()].sort(byPlace), omitted }),
  };
}

export function windowText(dailyWindow: Judging['dailyWindow']): string {
  return dailyWindow.kind === 'rolling'
    ? 'The 24 hours before a call'
    : `A calendar day, ${dailyWindow.timeZone}`;
}

function accessOf({ record: { exchange } }: Seen) {
  const { call } = exchange;
  const consent = call.header['consent-id'];
  const tpp = ownerOf(call);
  if (call.operation === null || consent === undefined || consent === '' || tpp === null) return null;
  if (!operationRow(call.operation).counted) return null;
  const attended = accessKey(call) === null && call.request.hasPsuAddress;
  return { tpp, key: keyOf.access(tpp, consent, call.operation, call.params.accountId ?? ''), attended };
}

function openRow({ record: { exchange }, ledger }: Seen, tpp: string, day: string): Row {
  const { call } = exchange;
  const consent = call.header['consent-id'] ?? '';
  return {
    tpp,
    consent: consent.slice(0, 200),
    operation: call.operation ?? '',
    account: call.params.accountId?.slice(0, 200) ?? null,
    day,
    allowed: accessesAllowed(ledger, tpp, consent),
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
