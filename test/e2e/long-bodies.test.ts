/** Long bodies of payments fill the store and not the heap: the program as it is shipped, in a small heap. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { createPopulation } from '../../src/bank/index.js';
import { MAIN, startServing, temporaryFolder } from './child.js';
import { contextOf, testCertificates } from './harness.js';

const MiB = 1_048_576;
/** Of the old generation, in MB: what a start takes, and little more than the bodies that are posted. */
const HEAP = 64;
const [ACCOUNT] = createPopulation({ seed: 42, count: 1_000 }).accountsOf('psu-1');
const PATH = '/stdgroup/v1/payments/sepa-credit-transfers';
const BODY = {
  instructedAmount: { currency: 'EUR', amount: '1.00' },
  debtorAccount: { iban: ACCOUNT?.iban },
  creditorAccount: { iban: 'DE89370400440532013000' },
  creditorName: 'Fietsen Roeland',
  remittanceInformationUnstructured: 'Invoice 1',
};
const bodyOf = (n: number) => ({ ...BODY, note: `${n} `.padEnd(15_000, 'long ') });

async function start(certs: string, folder: string) {
  const node = [`--max-old-space-size=${HEAP}`, MAIN];
  const gateway = await startServing(certs, ['--bank', 'living'], folder, {}, undefined, node);
  onTestFinished(() => void gateway.process.kill('SIGKILL'));
  const ask = async (agent: Agent, method: string, path: string, json?: unknown) => {
    const headers = { 'X-Request-ID': randomUUID(), 'PSU-IP-Address': '192.0.2.1' };
    const sent = request(`${gateway.ready.api}${path}`, {
      ...{ agent, method },
      headers: {
        ...headers,
        ...(json === undefined
          ? {}
          : { 'Content-Type': 'application/json', 'TPP-Redirect-URI': 'https://tpp.example/back' }),
      },
    });
    sent.end(json === undefined ? undefined : JSON.stringify(json));
    const [answer] = await once(sent, 'response');
    return { status: answer.statusCode as number, json: JSON.parse((await text(answer)) || '{}') };
  };
  const agentOf = (tpp: string) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 8, secureContext: contextOf(certs, tpp) });
    onTestFinished(() => agent.destroy());
    return agent;
  };
  return { ...gateway, ask, agentOf };
}

it('two TPPs fill their room with long bodies, and the process lives, serves, starts again and has each whole', async () => {
  const certs = await testCertificates();
  const folder = temporaryFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const first = await start(certs, folder);
  const filled = async (tpp: string) => {
    const agent = first.agentOf(tpp);
    const ids: string[] = [];
    let isFull = false;
    const fill = async () => {
      for (let n = ids.push('') - 1; !isFull; n = ids.push('') - 1) {
        const { status, json } = await first.ask(agent, 'POST', PATH, bodyOf(n));
        isFull ||= status === 503;
        if (isFull) expect(json.tppMessages[0].text).toContain('16 MiB');
        else ids[n] = json.paymentId;
      }
    };
    await Promise.all(Array.from({ length: 8 }, fill));
    // By what was posted: calls under way when the room was full have none.
    return ids.flatMap((id, n) => (id === '' ? [] : [{ n, id }]));
  };
  const [ids, others] = [await filled('tpp'), await filled('tpp-other')];
  expect((ids.length + others.length) * 15_000).toBeGreaterThan(28 * MiB);
  const status = await first.ask(first.agentOf('tpp'), 'GET', `${PATH}/${ids[0]?.id}/status`);
  expect(status).toEqual({ status: 200, json: { transactionStatus: 'RCVD' } });
  first.process.kill('SIGKILL');
  await first.ended;

  const second = await start(certs, folder);
  const read = (tpp: string, id = '') => second.ask(second.agentOf(tpp), 'GET', `${PATH}/${id}`);
  for (const [tpp, all] of [
    ['tpp', ids],
    ['tpp-other', others],
  ] as const)
    for (const { n, id } of [all.at(0), all.at(-1)].filter((one) => one !== undefined))
      expect(await read(tpp, id)).toEqual({
        status: 200,
        json: { ...bodyOf(n), transactionStatus: 'RCVD' },
      });
  expect((await read('tpp', others[0]?.id)).status).toBe(403);
}, 180_000);
