/** A call that the recording has no answer to is explained: what comes closest, what differs, what the flow needed. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildCassette } from '../../src/exchange/recording/index.js';
import { dialectOf } from '../../src/spec/index.js';
import { sandgate, startCommand } from '../cli/run-command.js';
import { folderOfFile } from '../folder.js';
import { openBankBehind } from './bank-behind.js';
import { startTestGateway, type TestGateway, testCertificates } from './harness.js';

const V1 = '/stdgroup/v1';
const CONSENT = `${V1}/consents/VALID_CONSENT_ID`;
const PAYMENT = `${V1}/payments/sepa-credit-transfers`;
const FUNDS = {
  account: { iban: 'BE14983120441783' },
  instructedAmount: { currency: 'EUR', amount: '10.00' },
};

const FREE = ['--listen', '127.0.0.1:0', '--psu-listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0'];

const folder = folderOfFile();
const file = join(folder, 'bank.json');

/** A consent with its status before and after its end, its authorisations before it, read whole after it only; funds. */
beforeAll(async () => {
  const bank = await startTestGateway();
  await bank.call(`${CONSENT}/status`);
  await bank.call(`${CONSENT}/authorisations`);
  await bank.call(CONSENT, { method: 'DELETE' });
  await bank.call(`${CONSENT}/status`);
  await bank.call(CONSENT);
  await bank.call(`${V1}/funds-confirmations`, { json: FUNDS });
  const records = await bank.records();
  writeFileSync(
    file,
    [...buildCassette(records, { session: 's', dialect: dialectOf(), origins: bank.urls })].join(''),
  );
  await bank.close();
});

const withReplay = async <T>(
  work: (gateway: TestGateway) => Promise<T>,
  more: Record<string, unknown> = {},
) => {
  const gateway = await startTestGateway({
    ...{ source: 'replay', replay: file, stance: 'observe', logLevel: 'fatal' },
    ...more,
  });
  try {
    return await work(gateway);
  } finally {
    await gateway.close();
  }
};

interface Case {
  readonly name: string;
  readonly calls: (gateway: TestGateway) => Promise<unknown>;
  readonly kind: string;
  readonly text: RegExp;
}

const cases: readonly Case[] = [
  {
    name: 'of a path that was never called names what there is',
    calls: (gateway) => gateway.call(`${PAYMENT}/PAYMENT_ID_RCVD_SCT/status`),
    kind: 'not-recorded',
    text: /no GET \/stdgroup\/v1\/payments\/.*It has .*consents\/VALID_CONSENT_ID\/status/,
  },
  {
    name: 'with another amount tells place, recorded and sent value',
    calls: (gateway) =>
      gateway.call(`${V1}/funds-confirmations`, {
        json: { ...FUNDS, instructedAmount: { currency: 'EUR', amount: '11.00' } },
      }),
    kind: 'differs',
    text: /body instructedAmount\.amount: expected 10, found 11/,
  },
  {
    name: 'once more than recorded says that all were given',
    calls: async (gateway) => {
      await gateway.call(`${V1}/funds-confirmations`, { json: FUNDS });
      await gateway.call(`${V1}/funds-confirmations`, { json: FUNDS });
    },
    kind: 'used-up',
    text: /this is one call too many.*--after-last repeat/,
  },
  {
    name: 'before the write that it was recorded after names the write',
    calls: async (gateway) => {
      await gateway.call(`${CONSENT}/status`);
      await gateway.call(CONSENT);
    },
    kind: 'too-early',
    text: /DELETE \/stdgroup\/v1\/consents\/VALID_CONSENT_ID .*comes before this call; this run has not made it/,
  },
  {
    name: 'after the write that it was recorded before names the write',
    calls: async (gateway) => {
      await gateway.call(CONSENT, { method: 'DELETE' });
      await gateway.call(`${CONSENT}/authorisations`);
    },
    kind: 'too-late',
    text: /comes only before DELETE \/stdgroup\/v1\/consents\/VALID_CONSENT_ID .*, which this run has made already/,
  },
];

describe('a call', () => {
  it.each(cases)('$name', async ({ calls, kind, text }) => {
    await withReplay(async (gateway) => {
      await calls(gateway);
      const { json } = await gateway.call('/api/replay', { side: 'admin' });
      expect(json.missed).toHaveLength(1);
      expect(json.missed[0]).toMatchObject({ kind });
      expect(json.missed[0].text).toMatch(text);
    });
  });

  it('that is missed is a 404 in the form of the interface, with the explanation', async () => {
    await withReplay(async (gateway) => {
      const answer = await gateway.call(`${PAYMENT}/PAYMENT_ID_RCVD_SCT/status`);
      expect(answer.status).toBe(404);
      expect(answer.headers['sandgate-source']).toBe('replay');
      expect(answer.codes).toEqual(['RESOURCE_UNKNOWN']);
      expect(answer.text).toContain('The recording has no GET');
    });
  });

  it('that breaks a rule is told the rule first, then the difference, the line of the cassette and the command', async () => {
    await withReplay(async (gateway) => {
      const amount = { currency: 'EUR', amount: '11,00' };
      const answer = await gateway.call(`${V1}/funds-confirmations`, {
        json: { ...FUNDS, instructedAmount: amount },
      });
      const { text, breaks, closest } = answer.json.sandgate;
      expect(breaks.length).toBeGreaterThan(0);
      expect(text.startsWith(`The call breaks ${breaks[0]}`)).toBe(true);
      expect(text).toMatch(
        /^The call breaks \S+: body instructedAmount\.amount: expected .*, found "11,00".*\. The recording has no such POST .* expected 10, found 11,00\. See (.+):(\d+)\. To record it: sandgate serve --source replay,emulator /,
      );
      expect(text).toContain(`See ${file}:${closest.line}.`);
      const lines = readFileSync(file, 'utf8').split('\n');
      expect(lines[closest.line - 1]).toBe('    {');
      expect(lines.slice(closest.line, closest.line + 20).join('')).toContain(
        '"operation": "funds-confirmations.create"',
      );
    });
  });

  it('that is new is told which command records it, and breaks no rule', async () => {
    await withReplay(async (gateway) => {
      const answer = await gateway.call(`${PAYMENT}/PAYMENT_ID_RCVD_SCT/status`);
      expect(answer.json.sandgate).toMatchObject({ breaks: [], closest: null });
      expect(answer.json.sandgate.text).toMatch(/^The recording has no GET .* To record it: sandgate serve /);
    });
  });

  it('that is missed goes to the next source of a chain where that is asked for', async () => {
    const chain = { source: 'replay,emulator', afterLast: 'next' };
    await withReplay(async (gateway) => {
      const answer = await gateway.call(`${PAYMENT}/PAYMENT_ID_RCVD_SCT/status`);
      expect([answer.status, answer.headers['sandgate-source']]).toEqual([200, 'emulator']);
    }, chain);
  });

  it('once more than recorded gets the last answer again where that is asked for', async () => {
    await withReplay(
      async (gateway) => {
        const answers = [];
        for (let i = 0; i < 3; i++)
          answers.push((await gateway.call(`${V1}/funds-confirmations`, { json: FUNDS })).text);
        expect(new Set(answers).size).toBe(1);
      },
      { afterLast: 'repeat' },
    );
  });
});

describe('a call whose answer was recorded in part', () => {
  const size = 5_000;
  const partly = join(folder, 'partly.json');

  it('is told so, with the exchange, and gets no half an answer', async () => {
    const bank = await openBankBehind(
      (_, response) =>
        response
          .setHeader('Content-Type', 'application/json')
          .end(JSON.stringify({ accounts: [], padding: 'x'.repeat(size) })),
      { recordCap: 1_000 },
    );
    const headers = bank.gateway.accountHeaders('some-token');
    expect((await bank.gateway.call(`${V1}/accounts`, { headers })).text.length).toBeGreaterThan(size);
    const records = await bank.gateway.records();
    const origins = bank.gateway.urls;
    const meta = { session: 's', dialect: dialectOf(), origins };
    writeFileSync(partly, [...buildCassette(records, meta)].join(''));
    await bank.close();

    await withReplay(
      async (gateway) => {
        const answer = await gateway.call(`${V1}/accounts`, { headers });
        expect([answer.status, answer.json.sandgate.miss]).toEqual([404, 'incomplete']);
        expect(answer.json.sandgate.text).toMatch(
          /^The answer to GET \/stdgroup\/v1\/accounts is recorded in part only \(exchange \w+\)/,
        );
        const { json } = await gateway.call('/api/replay', { side: 'admin' });
        expect([json.used, json.unused.length, json.missed[0].kind]).toEqual([[], 1, 'incomplete']);
      },
      { replay: partly },
    );
  });
});

describe('sandgate replay', () => {
  it('logs a miss with the closest exchange, each difference, and the reason', async () => {
    const certs = await testCertificates();
    const args = ['--source', 'replay', '--replay', file, '--stance', 'observe', '--log-level', 'warn'];
    const serving = startCommand(
      ['serve', '--json', ...FREE, '--certs', certs, '--store', ':memory:', ...args],
      {
        clock: Date.now,
      },
    );
    const { api } = JSON.parse(await serving.prints('\n'));
    const read = (name: string) => readFileSync(join(certs, name));
    const dispatcher = new Agent({
      connect: { ca: read('ca.pem'), cert: read('tpp.pem'), key: read('tpp.key') },
    });
    const answer = await request(`${api}${V1}/funds-confirmations`, {
      ...{ dispatcher, method: 'POST' },
      headers: { 'Content-Type': 'application/json', 'X-Request-ID': crypto.randomUUID() },
      body: JSON.stringify({ ...FUNDS, instructedAmount: { currency: 'EUR', amount: '11.00' } }),
    });
    await answer.body.dump();
    await dispatcher.close();
    const { err } = await serving.stop();
    const [line] = err.split('\n').filter((one) => one.includes('"miss"'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      level: 'warn',
      exchange: answer.headers['sandgate-exchange'],
      miss: 'differs',
      closest: {
        path: `${V1}/funds-confirmations`,
        differences: [{ place: 'body instructedAmount.amount', expected: '10', got: '11' }],
      },
      handedOn: false,
      msg: expect.stringContaining('instructedAmount.amount: expected 10, found 11'),
    });
  });

  it('serves a cassette, and tells at its end what was not asked for', async () => {
    const own = ['--certs', await testCertificates(), '--store', ':memory:', '--log-level', 'error'];
    const replaying = startCommand(['replay', file, ...FREE, ...own], { clock: Date.now });
    await replaying.prints('Sandgate is ready.');
    const { status, out } = await replaying.stop();
    expect(status).toBe(0);
    expect(out).toContain('0 of 6 recorded exchanges used, 6 not, 0 calls without a recorded answer.');
    expect(out).toMatch(/DELETE +\/stdgroup\/v1\/consents\/VALID_CONSENT_ID +204/);
  });

  it('says of a recording that is nowhere what was typed', async () => {
    const own = ['--certs', await testCertificates(), '--store', join(folder, 'none.db')];
    // At another time it would make all tests' certificates anew.
    const { status, err } = await sandgate(['replay', 'no-such-thing', ...own], { clock: Date.now });
    expect(status).toBe(2);
    expect(err).toContain('no-such-thing');
  });
});
