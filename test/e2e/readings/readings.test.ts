/** docs/readings.md says what the bank does: each row is held against the bank, or names the test that does. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { READING_IDS, type ReadingId } from '../../../src/spec/index.js';
import { startTestGateway, type TestGateway } from '../harness.js';
import { ACCOUNTS } from './accounts.js';
import { CREATIONS } from './creations.js';
import { ERRORS } from './errors.js';
import { LIVING } from './living.js';
import { OTHERS } from './others.js';
import { authorizeQuery, type Bank, type Shown, told } from './shown.js';

const SHOWN: Readonly<Record<ReadingId, Shown>> = {
  ...ERRORS,
  ...CREATIONS,
  ...ACCOUNTS,
  ...OTHERS,
  ...LIVING,
};

const V1 = '/stdgroup/v1';
const AUTHORIZE = '/stdgroup/authorization/authorize/22222222-2222-2222-2222-222222222222';
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const end: Bank['end'] = async (query) => {
  const answer = await gateway.call(`${AUTHORIZE}?${authorizeQuery(query)}`, { side: 'psu' });
  expect(answer.status, answer.text).toBe(302);
  return new URL(answer.headers.location ?? '');
};

const tokenOf = async (consent: string) =>
  gateway.token((await end({ scope: `AIS:${consent}` })).searchParams.get('code') ?? '');

const ask: Bank['ask'] = async (asked, { consent, headers, ...sent } = {}) => {
  const [method = '', path = ''] = asked.split(' ');
  const own =
    consent === undefined ? {} : gateway.accountHeaders(await tokenOf(consent), { 'Consent-Id': consent });
  return gateway.call(V1 + path, { ...sent, method, headers: { ...own, ...headers } });
};

describe('the reading', () => {
  it.each(READING_IDS)('%s is what the bank does', async (id) => {
    const shown = SHOWN[id];
    if (typeof shown === 'function') return shown({ gateway, ask, end });
    if ('file' in shown) {
      const titles = readFileSync(new URL(`../../../${shown.file}`, import.meta.url), 'utf8');
      const missing = `${shown.file} has no test “${shown.test}”: name the one that shows the reading`;
      return expect(titles.includes(shown.test), missing).toBe(true);
    }
    for (const [asked, sent, expected] of shown)
      expect(`${asked}: ${told(await ask(asked, sent))}`).toBe(`${asked}: ${expected}`);
  });
});
