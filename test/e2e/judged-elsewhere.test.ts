/** A session judged anew by a program that would listen elsewhere and before another bank: what judges comes from its notes. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { loadConfig } from '../../src/app/index.js';
import type { Store } from '../../src/store/index.js';
import { replaySession } from '../../src/testing/index.js';
import { createFiles } from '../answer/upstream/certificates.js';
import { folderOfTest } from '../folder.js';
import { aPath } from '../store/stores.js';
import { openBankBehind, settingsFor } from './bank-behind.js';
import { startTestGateway, type TestGateway } from './harness.js';
import { exported, imported, judgedFromFile, judgedFromStore, judgedLive } from './judged-again.js';

/** As whoever makes the report may have set it: nothing of it says how to judge. */
const ELSEWHERE = loadConfig({
  env: {},
  flags: {
    listen: '127.0.0.1:1443',
    psuListen: '127.0.0.1:1444',
    apiUrl: 'https://api.elsewhere.example',
    psuUrl: 'https://psu.elsewhere.example',
    upstream: 'https://bank.elsewhere.example',
    bank: 'living',
    source: 'emulator',
    stance: 'enforce',
  },
});
const CONSENT = {
  access: { allPsd2: 'allAccounts' },
  recurringIndicator: true,
  validUntil: '9999-12-31',
  frequencyPerDay: 4,
  combinedServiceIndicator: false,
};
const LINKS = 'answers/links-are-reachable';

const open: { readonly close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const create = (gateway: TestGateway) =>
  gateway.call('/stdgroup/v1/consents', {
    json: CONSENT,
    headers: {
      'X-Request-ID': randomUUID(),
      'PSU-IP-Address': '192.0.2.7',
      'TPP-Redirect-URI': 'https://tpp.example/cb',
    },
  });

const sameInStore = async (store: Store): Promise<void> =>
  expect(await judgedFromStore(store, 'test', ELSEWHERE)).toEqual(await judgedLive(store, 'test'));

const sameInFile = async (store: Store): Promise<void> => {
  const live = await judgedLive(store, 'test');
  for (const format of ['har', 'cassette'] as const) {
    const file = await exported(store, 'test', format);
    expect(await judgedFromFile(file, undefined, ELSEWHERE), format).toEqual(live);
    const there = await imported(file, 'test');
    expect(await judgedFromStore(there, 'test', ELSEWHERE), `imported ${format}`).toEqual(live);
    const again = await exported(there, 'test', 'cassette');
    expect(await judgedFromFile(again, undefined, ELSEWHERE), `${format}, imported, exported`).toEqual(live);
  }
};

describe('a session that is judged anew', () => {
  it.each([
    { scaLink: 'direct', bank: 'sandbox' },
    { scaLink: 'discovery', bank: 'living' },
  ])('names the listeners that it had: $bank, $scaLink', async (settings) => {
    const store = aPath();
    // The second run has other ports.
    for (let run = 0; run < 2; run++) {
      const gateway = await startTestGateway({ ...settings, store, psuUrl: `http://psu-${run}.example` });
      open.push(gateway);
      const { status } = await create(gateway);
      expect(status).toBe(201);
      await gateway.app.recorder.drain();
      expect((await judgedLive(gateway.app.store, 'test')).flatMap(({ found }) => found)).not.toContain(
        LINKS,
      );
      await sameInStore(gateway.app.store);
      await sameInFile(gateway.app.store);
      await gateway.close();
      open.length = 0;
    }
  });

  it('names the listeners and the bank of its time, and no others', async () => {
    const store = aPath();
    const before: string[] = [];
    for (let run = 0; run < 2; run++) {
      let link = '';
      const behind = await openBankBehind(
        (_, response) => {
          const _links = { account: { href: `${link}/stdgroup/v1/accounts` } };
          response.writeHead(200, { 'Content-Type': 'application/json' });
          response.end(JSON.stringify({ accounts: [], _links }));
        },
        { store, stance: 'observe', rewrite: false, upstreamPsu: 'https://login.bank.example' },
      );
      open.push(behind);
      const { gateway, url } = behind;
      const own = [url.origin, gateway.urls.psu];
      for (link of [...own, 'https://login.bank.example', ...before, 'https://bank.elsewhere.example'])
        await gateway.call('/stdgroup/v1/accounts', {
          headers: { ...gateway.accountHeaders('token'), 'X-Request-ID': randomUUID() },
        });
      before.push(...own);
      await gateway.app.recorder.drain();
      const live = (await judgedLive(gateway.app.store, 'test')).map(({ found }) => found.includes(LINKS));
      expect(live).toEqual([
        ...[false, false, false, true],
        ...(run === 0 ? [] : [false, false, false, true, true, true]),
      ]);
      await sameInStore(gateway.app.store);
      if (run === 0) await sameInFile(gateway.app.store);
      await behind.close();
      open.length = 0;
    }
  });

  it('names the bank of its time in a cassette that a test recorded', async () => {
    vi.stubEnv('CI', '');
    onTestFinished(() => void vi.unstubAllEnvs());
    const folder = folderOfTest();
    const files = createFiles();
    onTestFinished(() => files.remove());
    let link = '';
    const behind = await openBankBehind((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(
        JSON.stringify({ accounts: [], _links: { account: { href: `${link}/stdgroup/v1/accounts` } } }),
      );
    });
    open.push(behind);
    const { upstream = '', ...settings } = settingsFor(behind.url, files);
    const file = join(folder, 'accounts.json');
    const gateway = await replaySession(file, {
      ...{ upstream: String(upstream), stance: 'observe' },
      settings: { ...settings, rewrite: false, upstreamPsu: 'https://login.bank.example' },
    });
    const tpp = gateway.tpp();
    for (link of [behind.url.origin, 'https://login.bank.example', 'https://bank.elsewhere.example'])
      await tpp.call('GET /accounts', {
        headers: { 'Consent-Id': 'c-1', Authorization: 'Bearer token-of-july' },
      });
    await gateway.close();
    const live = gateway
      .session()
      .exchanges.map(({ findings }) => findings.some(({ rule }) => rule === LINKS));
    expect(live).toEqual([false, false, true]);
    const again = await judgedFromFile(readFileSync(file, 'utf8'), undefined, ELSEWHERE);
    expect(again.map(({ found }) => found.includes(LINKS))).toEqual(live);
  });
});
