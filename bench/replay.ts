/** Measures a replay of ten thousand exchanges against the emulator, with rules and durable recording on. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { type Load, measureTogether, type Row, timesAsMany } from './measure.js';
import { type Server, startGateway } from './processes.js';
import { accountsRequest } from './requests.js';

const EXCHANGES = 10_000;
const AT_ONCE = 16;
const DAY_MS = 86_400_000;
const V1 = '/stdgroup/v1';

export interface Replaying {
  /** The emulator first. */
  readonly rows: readonly Row[];
  readonly ofEmulator: number;
}

interface Parts {
  /** The built program. */
  readonly program: string;
  readonly folder: string;
}

/** Both answer the same call, which the recording holds among thousands of others. */
export async function measureReplay(load: Load, parts: Parts): Promise<Replaying> {
  const { certs } = load;
  const file = await recordMany(certs, parts);
  const call = ({ port }: Server) => accountsRequest(port, certs);
  const subject = (name: string, database: string, args: readonly string[]) => {
    const store = join(parts.folder, database);
    return { name, store, call, start: () => startGateway({ program: parts.program, certs, store }, args) };
  };
  const rows = await measureTogether(
    [
      subject('sandgate, source emulator', 'beside-replay.db', []),
      subject(`sandgate, a recording of ${EXCHANGES.toLocaleString('en')}`, 'replay.db', [
        ...['--source', 'replay', '--replay', file, '--after-last', 'repeat'],
      ]),
    ],
    load,
  );
  const [emulator, replay] = rows as [Row, Row];
  return { rows, ofEmulator: timesAsMany(replay, emulator) };
}

/** A cassette of a long session at the emulator. */
async function recordMany(certs: string, parts: Parts): Promise<string> {
  const store = join(parts.folder, 'recorded.db');
  const file = join(parts.folder, 'recorded.json');
  const gateway = await startGateway({ program: parts.program, certs, store, session: 'long' }, [
    '--stance',
    'observe',
  ]);
  const read = (name: string) => readFileSync(join(certs, name));
  const agent = new Agent({
    connect: { ca: read('ca.pem'), cert: read('tpp.pem'), key: read('tpp.key') },
    connections: AT_ONCE,
  });
  const bank: Bank = async (path, sent = {}) => {
    const answer = await request(`https://localhost:${gateway.port}${path}`, { dispatcher: agent, ...sent });
    return answer.body.text();
  };
  try {
    let round = 0;
    const walk = async () => {
      while (round < EXCHANGES / CALLS_OF_ROUND) await playRound(bank, round++);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, walk));
  } finally {
    await agent.close();
    await gateway.stop();
  }
  const args = ['sessions', 'export', 'long', '--store', store, '--out', file];
  execFileSync(process.execPath, [parts.program, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  return file;
}

type Bank = (
  path: string,
  sent?: { method?: 'POST'; headers?: Record<string, string>; body?: string },
) => Promise<string>;

const CALLS_OF_ROUND = 10;
const CREATION = { 'PSU-IP-Address': '192.0.2.1', 'TPP-Redirect-URI': 'https://tpp.example/back' };

/** Ten calls, most of which no other round makes: ids, amounts and periods of its own. */
async function playRound(bank: Bank, round: number): Promise<void> {
  const id = () => ({ 'X-Request-ID': crypto.randomUUID() });
  const post = (path: string, value: unknown, more: Record<string, string> = {}) =>
    bank(V1 + path, {
      ...{ method: 'POST', body: JSON.stringify(value) },
      headers: { ...id(), 'Content-Type': 'application/json', ...more },
    });
  const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  const amount = { currency: 'EUR', amount: `${round + 1}.50` };

  const form = {
    grant_type: 'authorization_code',
    client_id: 'VALID_CLIENT_ID',
    code: 'AIS_VALID_CODE',
    code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  };
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams(form).toString();
  const given = await bank(`${V1}/token`, { method: 'POST', headers, body });
  const { access_token: token } = JSON.parse(given) as { access_token: string };
  const reading = {
    ...{ Authorization: `Bearer ${token}`, 'Consent-Id': 'VALID_CONSENT_ID', 'PSU-IP-Address': '192.0.2.1' },
  };
  const accounts = await bank(`${V1}/accounts`, { headers: { ...id(), ...reading } });
  const [account] = (JSON.parse(accounts) as { accounts: { resourceId: string }[] }).accounts;
  const period = `dateFrom=${day(-1 - (round % 89))}&dateTo=${day(0)}&bookingStatus=booked`;
  await bank(`${V1}/accounts/${account?.resourceId}/transactions?${period}`, {
    headers: { ...id(), ...reading },
  });

  const access = { access: { allPsd2: 'allAccounts' }, recurringIndicator: true, frequencyPerDay: 4 };
  const wanted = { ...access, validUntil: day(1 + (round % 89)), combinedServiceIndicator: false };
  const consent = (JSON.parse(await post('/consents', wanted, CREATION)) as { consentId: string }).consentId;
  await bank(`${V1}/consents/${consent}/status`, { headers: id() });
  await bank(`${V1}/consents/${consent}`, { headers: id() });

  const product = '/payments/sepa-credit-transfers';
  const transfer = {
    instructedAmount: amount,
    debtorAccount: { iban: 'BE14983120441783' },
    creditorAccount: { iban: 'BE86986509812450' },
    creditorName: `Creditor ${round}`,
  };
  const payment = (JSON.parse(await post(product, transfer, CREATION)) as { paymentId: string }).paymentId;
  await bank(`${V1}${product}/${payment}/status`, { headers: id() });
  await bank(`${V1}${product}/${payment}`, { headers: id() });
  await post('/funds-confirmations', {
    account: { iban: 'BE67983610020587' },
    instructedAmount: amount,
  });
}
