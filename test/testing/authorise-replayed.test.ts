/** What `authorise` records it also replays, and its document's code is code that runs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import '../../src/testing/vitest.js';
import { type AuthoriseOptions, type ReplayOptions, replaySession } from '../../src/testing/index.js';
import { folderOfFile } from '../folder.js';

const folder = folderOfFile();
// On CI nothing would be recorded.
beforeAll(() => void vi.stubEnv('CI', ''));
afterAll(() => void vi.unstubAllEnvs());

const ACCESS = { sandbox: { allPsd2: 'allAccounts' }, living: { balances: [] } };

interface Case {
  readonly bank: 'sandbox' | 'living';
  readonly walked: AuthoriseOptions;
  readonly scaLink: 'direct' | 'discovery';
}

const WALKS: readonly (readonly ['sandbox' | 'living', AuthoriseOptions])[] = [
  ['sandbox', {}],
  ['sandbox', { outcome: 'SCA_OK' }],
  ['sandbox', { outcome: 'SCA_NOK' }],
  ['living', {}],
  ['living', { psu: 'psu-1' }],
  ['living', { psu: 'psu-1', accounts: ['acc-1-2'] }],
  ['living', { psu: 'psu-2', outcome: 'SCA_EXEMPTED' }],
  ['living', { outcome: 'LOGIN_CANCEL' }],
];
const CASES: readonly Case[] = WALKS.flatMap(([bank, walked]) =>
  (['direct', 'discovery'] as const).map((scaLink) => ({ bank, walked, scaLink })),
);

/** What the TPP was told, without what differs by nature. */
async function walk(
  file: string,
  options: ReplayOptions,
  walked: AuthoriseOptions,
  access: object,
  headers: Readonly<Record<string, string | null>> = {},
) {
  const gateway = await replaySession(file, options);
  const tpp = gateway.tpp();
  const json = {
    access,
    recurringIndicator: true,
    validUntil: '9999-12-31',
    frequencyPerDay: 4,
    combinedServiceIndicator: false,
  };
  const created = await tpp.call('POST /consents', { json, headers });
  const back = await gateway.authorise(created.json._links.scaOAuth.href, walked);
  const told: unknown[] = [created.status, back.error];
  if (back.error === null) {
    const read = await tpp.call('GET /accounts', { access: await tpp.access(back), headers });
    told.push(
      read.status,
      read.json.accounts.map(({ resourceId }: { resourceId: string }) => resourceId),
    );
  }
  await gateway.close();
  return { told, missed: gateway.session().replay?.missed ?? null, gateway };
}

describe('gateway.authorise', () => {
  it.each(CASES)('$bank $walked $scaLink is replayed as it was recorded', async (one) => {
    const { bank, walked, scaLink } = one;
    const file = join(folder, `${CASES.indexOf(one)}.json`);
    const options = { bank, settings: { scaLink } };
    const recorded = await walk(file, options, walked, ACCESS[bank]);
    expect(recorded.missed).toBe(null);
    expect(recorded.gateway).toComply();
    const replayed = await walk(file, options, walked, ACCESS[bank]);
    expect(replayed.missed).toEqual([]);
    expect(replayed.told).toEqual(recorded.told);
  });
});

describe('gateway.authorise of the living bank with psu and accounts', () => {
  it.each([
    ['the same as recorded', '203.0.113.7', '203.0.113.7'],
    ['another one than recorded', '203.0.113.7', '198.51.100.9'],
    ['of version 6', '2001:db8::7', '2001:db8::7'],
  ])('is replayed with a PSU-IP-Address, %s', async (name, first, second) => {
    const file = join(folder, `address ${name}.json`);
    const options: ReplayOptions = { bank: 'living', settings: { scaLink: 'direct' } };
    const walked = { psu: 'psu-1', accounts: ['acc-1-2'] };
    const from = (address: string) =>
      walk(file, options, walked, ACCESS.living, { 'PSU-IP-Address': address });
    const recorded = await from(first);
    expect(recorded.told).toEqual([201, null, 200, ['acc-1-2']]);
    expect(recorded.gateway).toComply();
    const replayed = await from(second);
    expect([replayed.missed, replayed.told]).toEqual([[], recorded.told]);
  });
});

describe('gateway.tpp', () => {
  it('says what is wrong with a call, and with a code that is none', async () => {
    const gateway = await replaySession(join(folder, 'wrong.json'));
    const tpp = gateway.tpp();
    await expect(tpp.call('/consents')).rejects.toThrow('/consents is no call');
    const none = { url: '', code: null, state: null, error: 'access_denied', errorDescription: null };
    const back = { ...none, verifier: null, clientId: 'c', redirectUri: 'https://a.example', scope: 'AIS:x' };
    await expect(tpp.access(back)).rejects.toThrow('There is no access to AIS:x: access_denied');
    await expect(tpp.access({ ...back, code: 'no' })).rejects.toThrow('invalid_client');
    await gateway.close();
  });

  it('leaves out a header that is null', async () => {
    const gateway = await replaySession(join(folder, 'null.json'), { stance: 'observe' });
    await gateway.tpp().call('GET /accounts', { headers: { 'PSU-IP-Address': null } });
    const [{ call } = { call: null }] = gateway.session().exchanges;
    expect([call?.header['psu-ip-address'], call?.header.accept]).toEqual([undefined, 'application/json']);
    await gateway.close();
  });
});

describe('docs/testing.md', () => {
  const text = readFileSync(new URL('../../docs/testing.md', import.meta.url), 'utf8');
  const [, block = ''] = /```ts\n([^`]*gateway\.tpp\(\)[^`]*)```/.exec(text) ?? [];

  it('shows code that records, and then replays', async () => {
    const run = new Function('replaySession', 'expect', 'it', block.replace(/^import .*$/gm, ''));
    const bodies: (() => Promise<void>)[] = [];
    const inFolder = (file: string, options: ReplayOptions) => replaySession(join(folder, file), options);
    run(inFolder, expect, (_name: string, body: () => Promise<void>) => bodies.push(body));
    expect(bodies).toHaveLength(1);
    for (const body of [...bodies, ...bodies]) await body();
  });
});
