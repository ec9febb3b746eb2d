/** The journey of a consent as the PSU's pages move it on, and the filter that finds all of it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Reply, startTestGateway, type TestGateway } from '../harness.js';
import { aTpp, CLIENT, type Flow } from './a-tpp.js';

const BACK = 'https://tpp.example/cb';

let gateway: TestGateway;
let flow: Flow;
let page: Reply;
beforeEach(async () => {
  gateway = await startTestGateway({ bank: 'living', bankPsus: 20 });
  flow = await aTpp(gateway, BACK).consent({ allPsd2: 'allAccounts' });
  page = await gateway.call(flow.url.href, { side: 'psu' });
});
afterEach(() => gateway.close());

const field = (name: string) => new RegExp(`name="${name}"[^>]* value="([^"]*)"`).exec(page.text)?.[1] ?? '';
async function post(form: Record<string, string>): Promise<void> {
  const ticket = { sca_token: field('sca_token') };
  page = await gateway.call(flow.url.href, { side: 'psu', form: { ...ticket, ...form } });
}
async function confirm(): Promise<void> {
  await post({ step: 'login', login: field('login'), password: field('password') });
  await post({ step: 'confirm', otp: '123456' });
}
const goOn = () => {
  const next = /class="button" href="([^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  return gateway.call(next, { side: 'psu' });
};

interface Shown {
  readonly status: string;
  readonly ended: boolean;
  readonly next: string | null;
  readonly broken: string | null;
  readonly steps: readonly { readonly step: string; readonly outcome: string }[];
}
async function journey(): Promise<Shown> {
  await gateway.records();
  const { json } = await gateway.call('/api/journeys', { side: 'admin' });
  return json.find(({ resource }: { resource: string }) => resource === flow.resource);
}
const outcomesOf = ({ steps }: Shown) => steps.map(({ step, outcome }) => `${step} ${outcome}`);

describe('the journey of a consent', () => {
  it('waits for the PSU until the code was confirmed, whether Continue is pressed or not', async () => {
    expect(outcomesOf(await journey())).toEqual(['created ok', 'psu waiting']);
    await confirm();
    const confirmed = await journey();
    expect([confirmed.status, confirmed.next]).toEqual(['valid', 'token']);
    expect(outcomesOf(confirmed)).toEqual(['created ok', 'psu ok']);
  });

  it('is not broken by a browser that goes back after the code', async () => {
    await confirm();
    const code = new URL((await goOn()).headers.location ?? '').searchParams.get('code') ?? '';
    await flow.token(code);
    expect((await gateway.call(flow.url.href, { side: 'psu' })).status).toBe(400);
    const { broken, next, ...shown } = await journey();
    expect(outcomesOf({ broken, next, ...shown })).toEqual([
      ...['created ok', 'psu waiting', 'psu ok', 'token ok'],
    ]);
    expect([broken, next]).toEqual([null, 'reads']);
  });

  it('that the PSU rejects neither waits nor ends well', async () => {
    await post({ step: 'cancel' });
    const { status, ended, next, ...shown } = await journey();
    expect([status, ended, next]).toEqual(['rejected', true, null]);
    expect(outcomesOf({ status, ended, next, ...shown })).toEqual([
      ...['created ok', 'psu failed', 'ended failed'],
    ]);
  });

  it('is found whole by the filter journey:ID, with what failed', async () => {
    await confirm();
    const code = new URL((await goOn()).headers.location ?? '').searchParams.get('code') ?? '';
    const discovery = '/stdgroup/.well-known/openid-configuration?authorizationId=';
    await gateway.call(discovery + flow.url.pathname.split('/').at(-1), { cert: 'tpp-other' });
    const form = { grant_type: 'authorization_code', client_id: CLIENT, code, redirect_uri: BACK };
    await gateway.call('/stdgroup/v1/token', { form: { ...form, code_verifier: 'x'.repeat(43) } });
    const headers = gateway.accountHeaders(await flow.token(code), { 'Consent-Id': flow.resource });
    await gateway.call('/stdgroup/v1/accounts', { headers });
    await aTpp(gateway, BACK).consent({ allPsd2: 'allAccounts' });
    await gateway.records();
    const path = `/api/exchanges?q=${encodeURIComponent(`journey:${flow.resource}`)}`;
    const { exchanges } = (await gateway.call(path, { side: 'admin' })).json;
    const steps = exchanges
      .map(({ operation, status }: Record<string, unknown>) => `${operation} ${status}`)
      .reverse();
    expect(steps).toEqual([
      ...['consents.create 201', 'oauth.discovery 200', 'oauth.authorize 200', 'null 200', 'null 200'],
      ...['oauth.authorize 302', 'oauth.discovery 404', 'oauth.token 400', 'oauth.token 200'],
      'accounts.list 200',
    ]);
  });
});
