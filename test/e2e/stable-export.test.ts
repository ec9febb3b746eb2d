/** A journey recorded twice: exports that are stable do not differ, and one over another differs where the bank did. */
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { walkJourney } from '../app/rerun/rerun-bank.js';
import { sandgate } from '../cli/run-command.js';
import { folderOfFile } from '../folder.js';
import { DAY_MS, startTestGateway } from './harness.js';
import { livingTpp } from './living.js';

const folder = folderOfFile();
const store = (name: string) => join(folder, `${name}.db`);

/** A consent with its reads, hours and days apart by the clock, a payment, and a revocation. */
/** A port all the same: it goes, as any other does. */
const FEW_DIGITS = 43_344;

async function walkLiving(settings: Record<string, unknown>): Promise<void> {
  const gateway = await startTestGateway({ bank: 'living', ...settings });
  const { ask, linked, create, exchange } = livingTpp(gateway);
  const fresh = () => ({ headers: { 'X-Request-ID': randomUUID() } });
  const {
    id: consent,
    token,
    refresh,
  } = await linked({ validUntil: '9999-12-31' }, { state: randomUUID().replaceAll('-', 'A') });
  const { json } = await ask('GET /accounts', { consent, token, ...fresh() });
  const account = json.accounts[0].resourceId;
  for (const what of ['balances', 'transactions?bookingStatus=both&dateFrom=2026-01-01'])
    await ask(`GET /accounts/${account}/${what}`, { consent, token, ...fresh() });
  gateway.move(7_200_000);
  const second = await exchange({ grant_type: 'refresh_token', refresh_token: refresh });
  await ask('GET /accounts', { consent, token: String(second.json?.access_token), ...fresh() });
  const other = await create({ validUntil: '9999-12-31', frequencyPerDay: 2 });
  await ask(`DELETE /consents/${other.id}`, fresh());
  await ask(`GET /consents/${other.id}`, fresh());
  const payment = await ask('POST /payments/sepa-credit-transfers', {
    headers: {
      'TPP-Redirect-URI': `http://localhost:${settings.session === 'monday' ? FEW_DIGITS : 48_127}/back`,
    },
    json: {
      ...{ instructedAmount: { currency: 'EUR', amount: '12.50' }, creditorName: 'Shop' },
      debtorAccount: { iban: String(json.accounts[0].iban) },
      creditorAccount: { iban: 'DE89370400440532013000' },
    },
  });
  expect(payment.status, payment.text).toBe(201);
  await ask(`GET /payments/sepa-credit-transfers/${payment.json.paymentId}/status`, fresh());
  await gateway.close();
}

async function walkSandbox(name: string, daysLater: number): Promise<void> {
  const gateway = await startTestGateway({ store: store(name), session: name });
  gateway.move(daysLater * DAY_MS);
  await walkJourney(gateway);
  await gateway.close();
}

beforeAll(async () => {
  await Promise.all(['monday', 'tuesday'].map((name) => walkLiving({ store: store(name), session: name })));
  await Promise.all([walkSandbox('march', 0), walkSandbox('april', 3)]);
});

async function exported(name: string, ...flags: string[]): Promise<string> {
  const { status, out, err } = await sandgate(['sessions', 'export', name, '--store', store(name), ...flags]);
  expect([status, err]).toEqual([0, '']);
  return out;
}

/** The lines that differ. */
const sides = (a: string, b: string) => {
  const [first, second] = [a.split('\n'), b.split('\n')];
  return first.flatMap((line, i) => (line === second[i] ? [] : [`${line.trim()} | ${second[i]?.trim()}`]));
};

const write = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

interface Judged {
  readonly findings: readonly {
    readonly rule: string;
    readonly occurrences: readonly {
      readonly place: string;
      readonly method: string;
      readonly status: number;
    }[];
  }[];
  readonly notObserved: readonly string[];
}

/** What is found where it is judged anew. */
async function judged(cassette: string) {
  const { out, err } = await sandgate(['check', cassette, '--json']);
  expect(err).toBe('');
  const { findings, notObserved } = JSON.parse(out) as Judged;
  const found = findings.map(({ rule, occurrences }) => [
    rule,
    ...occurrences.map(({ place, method, status }) => `${method} ${status} ${place}`),
  ]);
  return { found, notObserved };
}

describe('a stable export', () => {
  it.each([
    ['the living bank', 'monday', 'tuesday'],
    ['the sandbox, on another day', 'march', 'april'],
  ])('has the same bytes for the same journey: %s', async (_, one, other) => {
    const [first, second] = [await exported(one, '--stable'), await exported(other, '--stable')];
    expect(sides(first, second)).toEqual([]);
    expect(second).toBe(first);
    expect(await exported(one)).not.toBe(await exported(other));
  });

  it.each([
    ['monday', walkLiving],
    [
      'march',
      async (settings: Record<string, unknown>) => {
        const gateway = await startTestGateway(settings);
        await walkJourney(gateway);
        await gateway.close();
      },
    ],
  ])('is replayed like the recording: %s', async (name, walk) => {
    const replay = write(`${name}.json`, await exported(name, '--stable'));
    await walk({ source: 'replay', replay, store: store(`${name}-replayed`), session: 'replayed' });
    const { out } = await sandgate([
      'sessions',
      'show',
      'replayed',
      '--store',
      store(`${name}-replayed`),
      '--json',
    ]);
    const sources = JSON.parse(out).map(({ answer }: { answer: { source: string } }) => answer.source);
    expect(new Set(sources)).toEqual(new Set(['replay']));
  });

  it.each(['monday', 'march'])('is imported, and judged like the recording: %s', async (name) => {
    const stable = write(`${name}-stable.json`, await exported(name, '--stable'));
    expect(await judged(stable)).toEqual(await judged(write(`${name}-whole.json`, await exported(name))));
    const there = store(`${name}-imported`);
    expect((await sandgate(['sessions', 'import', stable, '--store', there])).status).toBe(0);
    expect(await sandgate(['sessions', 'export', 'journey', '--store', there])).toMatchObject({
      out: readFileSync(stable, 'utf8'),
    });
  });

  it('is no HAR', async () => {
    const said = await sandgate([
      'sessions',
      'export',
      'march',
      '--store',
      store('march'),
      '--stable',
      '--format',
      'har',
    ]);
    expect(said).toMatchObject({
      status: 2,
      err: expect.stringMatching(/^--stable is for cassettes only: /),
    });
  });
});

describe('an export over another one', () => {
  const over = async (name: string, from: string, text: string): Promise<string> => {
    const older = write(name, text);
    const said = await sandgate(['sessions', 'export', from, '--store', store(from), '--over', older]);
    expect([said.status, said.err]).toEqual([0, '']);
    return readFileSync(older, 'utf8');
  };

  it.each([
    ['monday', 'tuesday'],
    ['march', 'april'],
  ])('changes no line where nothing differs: %s, %s', async (one, other) => {
    for (const flags of [[], ['--stable']]) {
      const older = await exported(one, ...flags);
      expect(sides(await over(`${one}-over.json`, other, older), older)).toEqual([]);
    }
  });

  it.each(['answer', 'status'])(
    'changes the lines of the exchange whose %s differs, and no others',
    async (what) => {
      const whole = JSON.parse(await exported('april'));
      const { answer } = whole.exchanges.find(
        ({ operation }: { operation: string }) => operation === 'accounts.balances',
      );
      if (what === 'status') answer.status = 500;
      else answer.json.balances[0].balanceAmount.amount = '12.00';
      const from = `april-${what}`;
      const changed = write(`${from}.json`, JSON.stringify(whole));
      expect(
        (await sandgate(['sessions', 'import', changed, '--session', from, '--store', store(from)])).status,
      ).toBe(0);
      const older = await exported('march', '--stable');
      const newer = await over(`${from}-over.json`, from, older);
      const exchanges = (text: string) =>
        (JSON.parse(text).exchanges as unknown[]).map((one) => JSON.stringify(one));
      const before = exchanges(older);
      const differing = exchanges(newer).flatMap((one, i) => (one === before[i] ? [] : [i + 1]));
      expect(differing).toEqual([11]);
      if (what === 'answer') expect(sides(older, newer)).toEqual(['"amount": "3412.58" | "amount": "12.00"']);
    },
  );

  it('takes no other file for one', async () => {
    const har = write('march.har', await exported('march', '--format', 'har'));
    const said = await sandgate([
      'sessions',
      'export',
      'march',
      '--store',
      store('march'),
      '--over',
      har,
      '--out',
      '-x.json',
    ]);
    expect(said).toMatchObject({ status: 2, out: '' });
  });
});
