/** Outcomes that an operator sets ahead, and the SCAs that end with them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../harness.js';
import { type ATpp, aTpp, type Flow } from './a-tpp.js';

const BACK = 'https://tpp.example/cb';
const OFFERED = { balances: [], transactions: [] };

let gateway: TestGateway;
let tpp: ATpp;
beforeAll(async () => {
  gateway = await startTestGateway({ bank: 'living', bankPsus: 20 });
  tpp = aTpp(gateway, BACK);
});
afterAll(() => gateway.close());

const set = (body: unknown) =>
  gateway.call('/api/bank/next-outcome', { side: 'admin', method: 'PUT', json: body });

/** How an SCA ends that nobody chose an end for. */
async function endOf({ url }: Flow, psu = 'psu-1'): Promise<string> {
  const { headers } = await gateway.call(`${url.href}&psu=${psu}`, { side: 'psu' });
  const { searchParams } = new URL(headers.location ?? '');
  return searchParams.has('code') ? 'code' : (searchParams.get('error_description')?.split(':')[0] ?? '');
}

describe('an outcome that is set ahead', () => {
  it('is that of the next SCA, and of no other', async () => {
    const flows = [await tpp.consent(OFFERED), await tpp.consent(OFFERED)] as const;
    const answer = await set({ scenario: 'SCA_NOK' });
    expect([answer.status, answer.json]).toEqual([200, { scenario: 'SCA_NOK', scope: null, psu: null }]);
    expect([await endOf(flows[0]), await endOf(flows[1])]).toEqual(['SCA_NOK', 'code']);
    expect(await flows[0].status()).toBe('rejected');
  });

  it('waits for its consent and its PSU', async () => {
    const [one, two, three] = [
      await tpp.consent(OFFERED),
      await tpp.consent(OFFERED),
      await tpp.consent(OFFERED),
    ];
    await set({ scenario: 'SCA_TIMEOUT', scope: two?.scope });
    await set({ scenario: 'LOGIN_REQUEST_REJECTED', psu: 'psu-2' });
    expect(await endOf(one)).toBe('code');
    expect(await endOf(two)).toBe('SCA_TIMEOUT');
    expect(await endOf(three, 'psu-2')).toBe('LOGIN_REQUEST_REJECTED');
  });

  it('is that of the pages too', async () => {
    const flow = await tpp.consent({ allPsd2: 'allAccounts' });
    await set({ scenario: 'SCA_EXEMPTED', scope: flow.scope });
    const page = await gateway.call(flow.url.href, { side: 'psu' });
    expect(page.text).toContain('<strong>SCA_EXEMPTED</strong> was set ahead');
    const field = (name: string) =>
      new RegExp(`name="${name}"[^>]* value="([^"]*)"`).exec(page.text)?.[1] ?? '';
    const form = {
      ...{ step: 'login', sca_token: field('sca_token') },
      ...{ login: field('login'), password: field('password') },
    };
    const end = await gateway.call(flow.url.href, { side: 'psu', form });
    expect(end.text).toContain('<h1>SCA exempted</h1>');
    expect([await flow.scaStatus(), await flow.status()]).toEqual(['exempted', 'valid']);
  });

  it('is what the TPP reads of an SCA without a page', async () => {
    const flow = await tpp.consent(OFFERED);
    await set({ scenario: 'SCA_EXEMPTED' });
    expect(await endOf(flow)).toBe('code');
    expect([await flow.scaStatus(), await flow.status()]).toEqual(['exempted', 'valid']);
  });

  it('is noted in the session', async () => {
    await set({ scenario: 'SCA_NOK', psu: 'psu-3' });
    expect((await gateway.app.store.sessions())[0]?.notes.at(-1)).toMatchObject({
      kind: 'bank',
      settings: { action: 'next-outcome', scenario: 'SCA_NOK', scope: null, psu: 'psu-3' },
    });
  });

  it.each([
    [{ scenario: 'SCA_NO' }, 400, 'There is no outcome “SCA_NO”. did you mean SCA_'],
    [{}, 400, 'scenario'],
    [[], 400, 'an object with scenario'],
    [{ scenario: 'SCA_OK', who: 'psu-1' }, 400, 'who: only scenario'],
    [{ scenario: 'SCA_OK', psu: 'psu-21' }, 404, 'The living bank knows no PSU “psu-21”. Did you mean “psu-'],
    [{ scenario: 'SCA_OK', scope: 'anything' }, 400, 'AIS: and a consent id'],
    [
      { scenario: 'SCA_OK', scope: 'PIS:nothing' },
      404,
      'The living bank knows no payment “nothing”: create one first',
    ],
  ])('is refused with %j', async (body, status, text) => {
    const { json, ...answer } = await set(body);
    expect([answer.status, json.error.toLowerCase()]).toEqual([
      status,
      expect.stringContaining(text.toLowerCase()),
    ]);
  });

  it('names the nearest consent for one that the bank has not', async () => {
    const { resource } = await tpp.consent(OFFERED);
    const { status, json } = await set({ scenario: 'SCA_OK', scope: `AIS:${resource.slice(0, -1)}x` });
    expect([status, json.error]).toEqual([404, expect.stringContaining(`Did you mean “${resource}”?`)]);
  });

  it('is the living bank’s only', async () => {
    const sandbox = await startTestGateway();
    try {
      const { status } = await sandbox.call('/api/bank/next-outcome', {
        ...{ side: 'admin', method: 'PUT', json: { scenario: 'SCA_OK' } },
      });
      expect(status).toBe(409);
    } finally {
      await sandbox.close();
    }
  });
});
