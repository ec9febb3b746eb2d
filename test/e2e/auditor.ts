/** Reads what an auditor may, and holds what was booked against the balances. */
import { expect } from 'vitest';
import { bankDateAt } from '../../src/spec/index.js';
import type { TestGateway } from './harness.js';
import { linked, livingTpp } from './living-tpp.js';

export const PSUS = ['psu-1', 'psu-2', 'psu-3'] as const;

/** What the auditor saw of an account last. */
interface Seen {
  readonly cents: bigint;
  readonly entries: ReadonlySet<string>;
}

export interface Audited {
  readonly seen: ReadonlyMap<string, Seen>;
  readonly at: number;
}

export const NOTHING_AUDITED: Audited = { seen: new Map(), at: 0 };

const DAY_MS = 86_400_000;
const centsOf = (amount: string | number): bigint => BigInt(Math.round(Number(amount) * 100));

/**
 * Reads each account of each PSU as a TPP does: what its balance changed by is the sum of what was booked meanwhile, and
 * nothing that was booked has gone.
 */
export async function audited(gateway: TestGateway, known: Audited): Promise<Audited> {
  const now = gateway.app.clock.now();
  const auditor = livingTpp(gateway, 'tpp-ec');
  const from = bankDateAt(Math.max(known.at - DAY_MS, now - 89 * DAY_MS));
  const seen = new Map<string, Seen>();
  for (const name of PSUS) {
    const { id, tokens } = await linked(auditor, name, { recurring: false });
    const get = (path: string) => auditor.read(path, id, tokens.access);
    const { json } = await get('/accounts');
    const accounts: { resourceId: string; _links?: { balances?: object } }[] = json.accounts;
    const views = accounts.filter(({ _links }) => _links?.balances !== undefined);
    await Promise.all(
      views.map(async ({ resourceId }) => {
        const balances = (await get(`/accounts/${resourceId}/balances`)).json.balances;
        const booked = balances.find(
          ({ balanceType }: { balanceType: string }) => balanceType === 'interimBooked',
        );
        const cents = centsOf(booked.balanceAmount.amount);
        const entries = new Map<string, bigint>();
        for (
          let path: string | undefined =
            `/accounts/${resourceId}/transactions?dateFrom=${from}&bookingStatus=booked`;
          path;
        ) {
          const answer = await get(path);
          expect(answer.status, answer.text).toBe(200);
          const { booked, _links } = answer.json.transactions;
          for (const { transactionId, transactionAmount } of booked)
            entries.set(transactionId, centsOf(transactionAmount.amount));
          path = _links.next?.href.split('/v1')[1];
        }
        const before = known.seen.get(resourceId);
        if (before !== undefined) {
          let sum = 0n;
          for (const [entry, amount] of entries) if (!before.entries.has(entry)) sum += amount;
          expect(cents - before.cents, `${resourceId} of ${name}`).toBe(sum);
        }
        const all = new Set([...(before?.entries ?? []), ...entries.keys()]);
        seen.set(resourceId, { cents, entries: all });
      }),
    );
  }
  return { seen, at: now };
}

/** Accounts in EUR that payments can be made from. */
export async function currentAccounts(gateway: TestGateway): Promise<string[]> {
  const auditor = livingTpp(gateway, 'tpp-ec');
  const ibans: string[] = [];
  for (const name of PSUS) {
    const { id, tokens } = await linked(auditor, name, { recurring: false });
    const { json } = await auditor.read('/accounts', id, tokens.access);
    for (const { iban, currency, status = 'enabled' } of json.accounts)
      if (currency === 'EUR' && status === 'enabled') ibans.push(iban);
  }
  return ibans;
}
