/** Settings, clock and session that are in force, and the alerts that are raised. */
import { computed, type Signal, signal } from '@preact/signals';
import type { Alert, ShownCertificate, ShownClock, ShownSession, ShownSettings } from '../../admin/index.js';
import { address } from '../address.js';
import { get } from '../api.js';

/** Errors are ignored: what a gateway does not have is not shown. */
const ask = <T>(path: string, into: Signal<T>, query = {}): Promise<unknown> =>
  get<T>(path, query).then(
    (answer) => (into.value = answer),
    () => undefined,
  );

export type InForce = { readonly session: string; readonly settings: ShownSettings | null };

export const inForce = signal<InForce | null>(null);
export const clock = signal<ShownClock | null>(null);
const sessions = signal<readonly ShownSession[]>([]);
export const certificates = signal<readonly ShownCertificate[]>([]);
export const alerts = signal<ReadonlyMap<string, Alert>>(new Map());

const GRAVEST = ['unfinished', 'store', 'bank', 'certificate', 'limit', 'finding', 'handshake', 'missed'];

/** The gravest kind first, and of a kind what came last, by the time of the machine. */
export const newestAlerts = computed(() =>
  [...alerts.value.values()].sort(
    (a, b) =>
      GRAVEST.indexOf(a.kind) - GRAVEST.indexOf(b.kind) || ((a.exchange ?? '') < (b.exchange ?? '') ? 1 : -1),
  ),
);

export const session = computed(() => address.value.session ?? inForce.value?.session ?? null);
export const sessionInfo = computed(() => sessions.value.find(({ name }) => name === session.value) ?? null);
export const lastMark = computed(() => sessionInfo.value?.marks.at(-1) ?? null);

export function takeInForce(next: InForce): void {
  inForce.value = next;
  refreshInForce();
}

/** It goes on by itself, and no event tells so. */
export function refreshClock(): void {
  void ask('/api/clock', clock, { session: address.value.session });
}

export function refreshInForce(): void {
  refreshClock();
  void ask('/api/sessions', sessions);
  void ask('/api/certificates', certificates, { session: address.value.session });
}

export function takeAlerts(changed: readonly Alert[]): void {
  const next = new Map(alerts.value);
  for (const one of changed) {
    if (one.state === 'cleared') next.delete(one.id);
    else next.set(one.id, one);
  }
  alerts.value = next;
}
