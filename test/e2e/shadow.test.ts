/** The shadow: what the emulator would have answered instead of the bank, noted without anybody waiting for it. */
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { aPath } from '../store/stores.js';
import { openBankBehind } from './bank-behind.js';
import { eventually, type TestGateway } from './harness.js';
import { openTwoGateways } from './two-gateways.js';

const CONSENT = '/stdgroup/v1/consents/VALID_CONSENT_ID';
const ACCOUNTS = '/stdgroup/v1/accounts';
const IBAN = 'BE68539007547034';

const shadowsOf = async ({ app }: TestGateway) =>
  (await app.store.sessions())
    .flatMap(({ notes }) => notes)
    .flatMap(({ kind, settings }) => (kind === 'shadow' ? [settings] : []));

/** A bank that misses a field, has another type, adds a field, and refuses what the emulator grants. */
const bank = (settings: Record<string, unknown> = {}) =>
  openBankBehind(
    ({ target }, response) => {
      const [status, body] = target.includes('/accounts')
        ? [403, { tppMessages: [{ category: 'ERROR', code: 'CONSENT_INVALID' }], iban: IBAN }]
        : [200, { consentStatus: 'valid', frequencyPerDay: '4', ownerName: 'Wilhelmina' }];
      response.writeHead(status as number, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    },
    { shadow: 'emulator', ...settings },
  );

describe('the shadow', () => {
  it('notes where status, fields and types differ, once, and no value of either', async () => {
    const behind = await bank();
    for (let i = 0; i < 3; i++) await behind.gateway.call(CONSENT);
    await behind.gateway.call(ACCOUNTS, { headers: { 'Consent-Id': 'VALID_CONSENT_ID' } });
    const notes = await eventually(async () => {
      const found = await shadowsOf(behind.gateway);
      expect(found).toHaveLength(2);
      return found;
    });
    const [record] = await behind.gateway.records();
    expect(notes[0]).toMatchObject({ exchange: record?.exchange.call.id, operation: 'consents.read' });
    const difference = (place: string) => notes[0]?.differences.find((one) => one.place === place);
    expect(difference('body frequencyPerDay')).toEqual({
      ...{ class: 'breaking', what: 'type', place: 'body frequencyPerDay' },
      ...{ bank: 'string', emulator: 'number' },
    });
    expect(difference('body ownerName')).toMatchObject({ what: 'gone', bank: '', emulator: '' });
    expect(difference('body validUntil')).toMatchObject({ class: 'additive', what: 'added' });
    expect(notes[1]?.differences).toContainEqual({
      ...{ class: 'breaking', what: 'status', place: 'status' },
      ...{ bank: '403', emulator: '401' },
    });
    expect(JSON.stringify(notes)).not.toMatch(new RegExp(`${IBAN}|Wilhelmina`));
    // Three calls to the bank and one: the emulator was asked besides, not instead.
    expect(behind.seen).toHaveLength(4);
    await behind.close();
  });

  it('sends nothing a second time that changes anything', async () => {
    const behind = await bank();
    await behind.gateway.call('/stdgroup/v1/consents', { json: { access: {} } });
    await behind.gateway.call(CONSENT, { method: 'DELETE' });
    await behind.gateway.call(CONSENT);
    await eventually(async () => expect(await shadowsOf(behind.gateway)).toHaveLength(1));
    expect((await shadowsOf(behind.gateway))[0]).toMatchObject({ operation: 'consents.read' });
    await behind.close();
  });

  it('finds nothing where the bank is an emulator itself', async () => {
    const two = await openTwoGateways({
      profile: 'sandbox',
      scaLink: 'discovery',
      settings: { shadow: 'emulator' },
    });
    const { atA } = await two.walk('ais', 'a');
    await two.a.app.notificationsDone();
    expect(atA.filter(({ exchange }) => exchange.answer?.source === 'upstream').length).toBeGreaterThan(8);
    expect(await shadowsOf(two.a)).toEqual([]);
    await two.close();
  });

  it('is shown with its session', async () => {
    const store = aPath();
    const behind = await bank({ store });
    await behind.gateway.call(CONSENT);
    await eventually(async () => expect(await shadowsOf(behind.gateway)).toHaveLength(1));
    await behind.close();
    const chunks: string[] = [];
    const stdout = new PassThrough().on('data', (chunk) => chunks.push(String(chunk)));
    const parts = { stdin: new PassThrough(), stdout, stderr: new PassThrough(), env: {}, clock: () => 0 };
    const args = ['sessions', 'show', 'test', '--shadow', '--store', store];
    expect(await run(args, { ...parts, signal: new AbortController().signal })).toBe(0);
    expect(chunks.join('')).toMatch(/consents\.read +breaking +type +body frequencyPerDay +string +number/);
  });

  it('needs a bank to be compared with', async () => {
    const { startTestGateway } = await import('./harness.js');
    await expect(startTestGateway({ shadow: 'emulator' })).rejects.toThrow('--upstream URL');
  });
});
