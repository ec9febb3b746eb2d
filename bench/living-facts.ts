/** A living bank that remembers very much: how soon it is ready, what memory it takes, how long a snapshot takes to go back to. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { request } from 'undici';
import {
  applyBankChanges,
  BANK_BYTES,
  createBankState,
  createPopulation,
  type FactChange,
  isOfBank,
  readStored,
} from '../src/bank/index.js';
import { createSqliteStore, type KeptChange } from '../src/store/index.js';
import { createConsent, createPayment, linkConsent, openTpp } from './living-tpp.js';
import { startGateway } from './processes.js';

export interface FactsMeasured {
  readonly facts: number;
  /** Consents, and payments, that there was room for. */
  readonly each: number;
  /** In ms. */
  readonly ready: number;
  /** Seconds of the processor until then. */
  readonly cpu: number;
  /** In bytes, when it is ready and has answered. */
  readonly memory: number;
  /** In ms, by what is gone back to. */
  readonly restores: readonly (readonly [name: string, ms: number])[];
}

export interface FactsParts {
  readonly program: string;
  readonly certs: string;
  readonly folder: string;
  /** At most so many consents, and payments: what a bank remembers is bounded. */
  readonly most: number;
}

const FLAGS = ['--bank', 'living', '--bank-psus', '1000'];
const BATCH = 1_000;
const MiB = 1_048_576;
/** The bank refuses a TPP that fills its share, and all of them where all is full: what is measured needs room itself. */
const FULL = { ofTpp: BANK_BYTES.ofTpp - MiB, ofAll: BANK_BYTES.ofAll - 4 * MiB };
/** As the gateway has them. */
const accounts = createPopulation({ seed: 42, count: 1_000 });

/** One consent and one payment are made over the wire; what a bank remembers of them is then multiplied in its store. */
export async function measureFacts({ program, certs, folder, most }: FactsParts): Promise<FactsMeasured> {
  const store = join(folder, 'living-facts.db');
  const begun = await startGateway({ program, certs, store }, FLAGS);
  const tpp = openTpp(begun.port, certs);
  await createConsent(tpp);
  await createPayment(tpp, accounts.accountsOf('psu-1')[0]?.iban ?? '');
  await tpp.close();
  await begun.stop();
  const { facts, each } = multiply(store, most);

  const started = performance.now();
  const gateway = await startGateway({ program, certs, store }, FLAGS);
  const [ready, cpu] = [performance.now() - started, gateway.cpu()];
  const again = openTpp(gateway.port, certs);
  await linkConsent(again);
  const memory = gateway.memory();
  const restores: [string, number][] = [];
  const steer = async (method: 'PUT' | 'POST', path: string): Promise<number> => {
    const from = performance.now();
    const { statusCode, body } = await request(`${gateway.admin}/api/bank/${path}`, {
      ...{ method, headers: { 'content-type': 'application/json' } },
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${path} was answered ${statusCode}: ${text}`);
    return performance.now() - from;
  };
  await steer('PUT', 'snapshots/full');
  for (let i = 0; i < 20; i++) await linkConsent(again);
  restores.push(['all of it after twenty more consents', await steer('POST', 'snapshots/full/restore')]);
  await steer('POST', 'reset');
  restores.push(['all of it after a reset', await steer('POST', 'snapshots/full/restore')]);
  await again.close();
  await gateway.stop();
  return { facts, each, ready, cpu, memory, restores };
}

/** Gives how many facts there are then, and of how many consents and payments. */
function multiply(path: string, most: number): { readonly facts: number; readonly each: number } {
  const store = createSqliteStore({ path });
  const known = store.worlds.layers('').flatMap(({ facts }) => [...facts].map(readStored));
  const ofBank = known.filter(({ family }) => family.startsWith('bank'));
  const ids = new Set(ofBank.map(({ key }) => key));
  let changes: KeptChange[] = [];
  const filled = createBankState();
  let [facts, each] = [0, 0];
  while (each < most && filled.holdings.bytes < FULL.ofAll) {
    const [account] = accounts.accountsOf(`psu-${(each % 1_000) + 1}`);
    const copied = copyOf(
      ofBank,
      ids,
      account?.resourceId ?? '',
      Math.floor(filled.holdings.bytes / FULL.ofTpp),
    );
    applyBankChanges(filled, copied.filter(isOfBank));
    changes.push(...copied);
    facts += copied.length;
    each += 1;
    if (each % BATCH > 0) continue;
    store.append({ records: [], changes });
    changes = [];
  }
  store.append({ records: [], changes });
  store.close();
  return { facts, each };
}

/** The same journey of another TPP with other ids, on another account. */
function copyOf(
  facts: readonly FactChange[],
  ids: ReadonlySet<string>,
  account: string,
  tpp: number,
): FactChange[] {
  const others = new Map([...ids].map((id) => [id, randomUUID()]));
  return facts.map((change) => {
    const text = JSON.stringify(change)
      .replace(/"debtor":"[^"]+"/, `"debtor":"${account}"`)
      .replace(/"tpp":"[^"]+"/, `"tpp":"PSDBE-NBB-${tpp}"`);
    return JSON.parse(text.replaceAll(/[\w-]{20,}/g, (id) => others.get(id) ?? id)) as FactChange;
  });
}
