/** Answering from the living bank against answering from the sandbox bank: what the processor does for a call of each. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { type Load, measureTogether, type Row, type Subject } from './measure.js';
import { startGateway } from './processes.js';
import { accountsToken, readRequest } from './requests.js';

const CALLBACK = 'https://tpp.example/back';
/** RFC 7636 appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

const READS: readonly (readonly [name: string, pathOf: (account: string) => string])[] = [
  ['the list of accounts', () => ''],
  ['transactions', (account: string) => `/${account}/transactions?bookingStatus=booked&itemsPerPage=20`],
];

export interface LivingMeasured {
  readonly rows: readonly Row[];
  /** Of the processor's time, by read: living to sandbox. */
  readonly ratios: readonly (readonly [name: string, ratio: number])[];
}

/** A consent of each bank, read again and again. */
export async function measureLiving(
  load: Load,
  { program, folder }: { program: string; folder: string },
): Promise<LivingMeasured> {
  const subjects = READS.flatMap(([name, pathOf]) =>
    (['sandbox', 'living'] as const).map((bank): Subject => {
      const store = join(folder, `bank-${bank}-${name.replaceAll(' ', '-')}.db`);
      return {
        name: `${bank}, ${name}`,
        store,
        start: () => startGateway({ program, certs: load.certs, store }, ['--bank', bank]),
        call: async ({ port }) => {
          if (bank === 'sandbox') {
            const token = await accountsToken(port, load.certs);
            return readRequest(pathOf('ACCOUNT_ID'), token, 'VALID_CONSENT_ID');
          }
          const { token, consent, account } = await linkedConsent(port, load.certs);
          return readRequest(pathOf(account), token, consent);
        },
      };
    }),
  );
  const rows = await measureTogether(subjects, load);
  const cpuOf = (name: string) => rows.find((row) => row.name === name)?.cpu ?? Number.NaN;
  const ratios = READS.map(([name]) => [name, cpuOf(`living, ${name}`) / cpuOf(`sandbox, ${name}`)] as const);
  return { rows, ratios };
}

/** A consent that the first PSU has given, its token, and the first account that it covers. */
async function linkedConsent(port: number, certs: string) {
  const file = (name: string) => readFileSync(join(certs, name));
  const dispatcher = new Agent({
    connect: { ca: file('ca.pem'), cert: file('tpp.pem'), key: file('tpp.key') },
  });
  const v1 = `https://localhost:${port}/stdgroup/v1`;
  const json = async (url: string, headers: Record<string, string> = {}, body?: string) => {
    const method = body === undefined ? 'GET' : 'POST';
    const answer = await request(url, { dispatcher, method, headers, body: body ?? null });
    // biome-ignore lint/suspicious/noExplicitAny: a wrong path fails the measurement.
    return (await answer.body.json()) as any;
  };
  const own = { 'X-Request-ID': crypto.randomUUID(), 'PSU-IP-Address': '192.0.2.1' };
  const asked = {
    access: { allPsd2: 'allAccounts' },
    recurringIndicator: true,
    validUntil: '9999-12-31',
    frequencyPerDay: 4,
    combinedServiceIndicator: false,
  };
  const creation = { ...own, 'TPP-Redirect-URI': CALLBACK, 'content-type': 'application/json' };
  const { consentId, _links } = await json(`${v1}/consents`, creation, JSON.stringify(asked));
  const { authorization_endpoint: page } = await json(_links.scaOAuth.href);
  const parameters = new URLSearchParams({
    ...{ scope: `AIS:${consentId}`, client_id: 'VALID_CLIENT_ID', state: crypto.randomUUID() },
    ...{ redirect_uri: CALLBACK, code_challenge: CHALLENGE, code_challenge_method: 'S256' },
    ...{ response_type: 'code', scenario: 'SCA_OK', psu: 'psu-1' },
  });
  const end = await request(`${page}?${parameters}`, { dispatcher });
  await end.body.dump();
  const code = new URL(String(end.headers.location)).searchParams.get('code') ?? '';
  const grant = { grant_type: 'authorization_code', client_id: 'VALID_CLIENT_ID', code_verifier: VERIFIER };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const exchange = new URLSearchParams({ ...grant, code }).toString();
  const { access_token: token } = await json(`${v1}/token`, form, exchange);
  const headers = { ...own, Authorization: `Bearer ${token}`, 'Consent-Id': consentId };
  const { accounts } = await json(`${v1}/accounts`, headers);
  await dispatcher.close();
  return { token, consent: consentId, account: accounts[0].resourceId };
}
