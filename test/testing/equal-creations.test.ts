/** Clients that create the same replay in any order: who is who follows from what they send. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Gateway, replaySession } from '../../src/testing/index.js';
import { folderOfFile } from '../folder.js';

const folder = folderOfFile();
// On CI nothing would be recorded.
beforeAll(() => void vi.stubEnv('CI', ''));
afterAll(() => void vi.unstubAllEnvs());

interface Client {
  readonly name: string;
  readonly psu: string;
  readonly accounts: readonly string[];
  readonly redirectUri: string;
  readonly certificate: 'tpp' | 'tpp-other';
}

/** What alone tells one client from another when they replay. */
type Sign = 'psu' | 'accounts' | 'redirect' | 'certificate';

/** Two or three for each PSU. */
const COUNT = 12;
const PSUS = 5;
const clientsOf = (sign: Sign, accountsOf: readonly (readonly string[])[]): Client[] =>
  Array.from({ length: sign === 'certificate' ? 2 : COUNT }, (_, i) => {
    const psu = sign === 'accounts' ? 0 : i % PSUS;
    const own = accountsOf[psu] ?? [];
    const subset = own.filter((__, bit) => ((i + 1) >> bit) % 2 === 1);
    return {
      name: `${sign} ${i}`,
      psu: `psu-${psu + 1}`,
      accounts: sign === 'accounts' && subset.length > 0 ? subset : own.slice(0, 1),
      redirectUri: sign === 'redirect' ? `https://tpp.example/back/${i}` : 'https://tpp.example/back',
      certificate: sign === 'certificate' && i === 1 ? 'tpp-other' : 'tpp',
    };
  });

/** All that a client sees of accounts, step by step; ids that differ from run to run left out. */
async function walk(gateway: Gateway, client: Client, says: (sign: Sign) => boolean) {
  const tpp = gateway.tpp(client.certificate);
  const json = {
    access: { balances: [], transactions: [] },
    recurringIndicator: true,
    validUntil: '9999-12-31',
    frequencyPerDay: 4,
    combinedServiceIndicator: false,
  };
  const headers = { 'TPP-Redirect-URI': client.redirectUri };
  const seen: unknown[] = [];
  const created = await tpp.call('POST /consents', { json, headers });
  seen.push(created.status);
  const { consentId, _links } = created.json;
  seen.push((await tpp.call(`GET /consents/${consentId}/status`)).text);
  const back = await gateway.authorise(
    _links.scaOAuth.href,
    {
      ...(says('psu') ? { psu: client.psu } : {}),
      ...(says('accounts') ? { accounts: client.accounts } : {}),
    },
    client.certificate,
  );
  const access = await tpp.access(back);
  const read = async (path: string) => {
    const { status, json: told } = await tpp.call(`GET ${path}`, { access });
    seen.push([
      status,
      JSON.stringify(told)
        .replaceAll(consentId, 'ID')
        .replace(/https:\/\/localhost:\d+/g, ''),
    ]);
    return told;
  };
  await read(`/consents/${consentId}/status`);
  const { accounts } = await read('/accounts');
  for (const { resourceId } of accounts ?? []) {
    await read(`/accounts/${resourceId}/balances`);
    await read(`/accounts/${resourceId}/transactions?bookingStatus=booked&dateFrom=2026-01-01`);
  }
  return seen;
}

const shuffled = <T>(items: readonly T[], step: number): T[] =>
  items.map((_, i) => items[(i * step + 3) % items.length] as T);

describe.each<Sign>(['psu', 'accounts', 'redirect', 'certificate'])('clients that differ by %s', (sign) => {
  const file = join(folder, `${sign}.json`);
  let clients: readonly Client[];
  const recorded = new Map<string, unknown>();

  beforeAll(async () => {
    const gateway = await replaySession(file, {
      bank: 'living',
      recordFrom: 'emulator',
      startAt: '2026-06-15',
    });
    const psus = gateway.bank.psus(0, PSUS);
    clients = clientsOf(
      sign,
      psus.map(({ accounts }) => accounts.map(({ resourceId }) => resourceId)),
    );
    for (const client of clients) recorded.set(client.name, await walk(gateway, client, () => true));
    await gateway.close();
  }, 60_000);

  /** A real bank's own pages tell nobody who authorised. */
  const says = (said: Sign) => sign === 'psu' || sign === 'accounts' || said === sign;

  it.each(['one after the other', 'side by side'])(
    'replay %s in another order',
    async (order) => {
      const gateway = await replaySession(file, { bank: 'living', startAt: '2026-06-15' });
      const run = shuffled(clients, clients.length === 2 ? 1 : 7);
      const seen = new Map<string, unknown>();
      const one = async (client: Client) => seen.set(client.name, await walk(gateway, client, says));
      if (order === 'side by side') await Promise.all(run.map(one));
      else for (const client of run) await one(client);
      await gateway.close();
      expect(gateway.session().replay?.missed.map(({ text }) => text)).toEqual([]);
      expect(gateway.session().replay?.undecided).toEqual([]);
      for (const { name } of clients) expect(seen.get(name), name).toEqual(recorded.get(name));
    },
    60_000,
  );
});
