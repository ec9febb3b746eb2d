/** How long the link of an authorisation leads to its SCA, where the operator sets another time. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../harness.js';
import { aTpp } from './a-tpp.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ bank: 'living', bankScaTime: '2m' });
});
afterAll(() => gateway.close());

it('leads to its pages for --bank-sca-time, then to one that says it has failed', async () => {
  const tpp = aTpp(gateway, 'https://tpp.example/cb');
  const [untouched, begun] = [
    await tpp.consent({ allPsd2: 'allAccounts' }),
    await tpp.consent({ allPsd2: 'allAccounts' }),
  ];
  const open = ({ url }: { url: URL }) => gateway.call(url.href, { side: 'psu' });
  gateway.move(110_000);
  const page = await open(begun);
  expect([page.status, (await open(untouched)).status]).toEqual([200, 200]);
  const value = (name: string) =>
    new RegExp(`name="${name}"[^>]* value="([^"]*)"`).exec(page.text)?.[1] ?? '';
  const form = { sca_token: value('sca_token'), login: value('login'), password: value('password') };
  await gateway.call(begun.url.href, { side: 'psu', form: { ...form, step: 'login' } });
  expect([await untouched.scaStatus(), await begun.scaStatus()]).toEqual(['received', 'scaMethodSelected']);
  gateway.move(11_000);
  expect([await untouched.scaStatus(), await begun.scaStatus()]).toEqual(['failed', 'failed']);
  for (const [flow, outcome] of [
    [untouched, 'LOGIN_TIMEOUT'],
    [begun, 'SCA_TIMEOUT'],
  ] as const) {
    const ended = await open(flow);
    expect([ended.status, ended.text]).toEqual([400, expect.stringContaining(outcome)]);
  }
  expect(await untouched.status()).toBe('received');
  gateway.move(86_400_000);
  expect([await untouched.status(), await begun.status()]).toEqual(['rejected', 'rejected']);
});
