/** Several flows at once, of one TPP or of two, on ids that the sandbox gives to all: nothing is taken for a fault. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CallOptions, type Reply, startTestGateway, type TestGateway } from './harness.js';

interface Flow {
  readonly cert: string;
  readonly client: string;
  readonly redirectUri: string;
}

const TPP: Flow = { cert: 'tpp', client: 'VALID_CLIENT_ID', redirectUri: 'https://tpp.example/back' };
const OTHER: Flow = { cert: 'tpp-other', client: 'VALID_CLIENT_ID', redirectUri: 'https://other.example/cb' };

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway({ stance: 'observe' });
});
afterEach(() => gateway.close());

/** A consent, its authorisation, a token and an account read, one call at each step. */
async function* steps({ cert, client, redirectUri }: Flow): AsyncGenerator<string> {
  const call = async (target: string, options: CallOptions = {}): Promise<Reply> => {
    const headers = { 'X-Request-ID': randomUUID(), ...options.headers };
    const answer = await gateway.call(target, { cert, ...options, headers });
    expect(answer.status, answer.text).toBeLessThan(400);
    return answer;
  };
  const verifier = randomBytes(32).toString('base64url');
  const created = await call('/stdgroup/v1/consents', {
    headers: { 'TPP-Redirect-URI': redirectUri, 'PSU-IP-Address': '192.0.2.7' },
    json: {
      access: { allPsd2: 'allAccounts' },
      recurringIndicator: true,
      validUntil: new Date(gateway.now() + 80 * 86_400_000).toISOString().slice(0, 10),
      frequencyPerDay: 4,
      combinedServiceIndicator: false,
    },
  });
  yield 'created';
  const document = await call(created.json._links.scaOAuth.href);
  yield 'discovered';
  const query = new URLSearchParams({
    scope: `AIS:${created.json.consentId}`,
    client_id: client,
    state: randomBytes(16).toString('hex'),
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    response_type: 'code',
  });
  const page = `${document.json.authorization_endpoint}?${query}`;
  for (const shown of ['', '&choice=SCA_OK']) {
    await call(page + shown, { cert: null });
    yield 'shown';
  }
  const back = await call(`${page}&scenario=SCA_OK`, { cert: null });
  yield 'authorised';
  const token = await call('/stdgroup/v1/token', {
    form: {
      grant_type: 'authorization_code',
      client_id: client,
      code: new URL(back.headers.location ?? '').searchParams.get('code') ?? '',
      code_verifier: verifier,
      redirect_uri: redirectUri,
    },
  });
  yield 'exchanged';
  const headers = gateway.accountHeaders(token.json.access_token);
  await call('/stdgroup/v1/accounts', { headers });
  yield 'read';
}

async function findings(): Promise<string[]> {
  return (await gateway.records()).flatMap(({ exchange, findings: found }) =>
    found
      .filter(({ severity }) => severity !== 'note')
      .map(({ rule, place, actual }) => `${exchange.call.operation}: ${rule}, ${place}: ${actual}`),
  );
}

/** The flows in turn, a step each; a later one begins so many steps after the one before it. */
async function takeTurns(flows: readonly Flow[], lag: number): Promise<void> {
  const running = flows.map((flow, i) => ({ wait: i * lag, steps: steps(flow) }));
  for (let left = running.length; left > 0; ) {
    left = 0;
    for (const one of running) {
      if (one.wait-- > 0) left++;
      else if ((await one.steps.next()).done !== true) left++;
    }
  }
}

describe('flows side by side', () => {
  it.each([0, 1, 2, 3, 4, 5])('of two TPPs under the literal client id, %i steps apart', async (lag) => {
    await takeTurns([TPP, OTHER], lag);
    expect(await findings()).toEqual([]);
  });

  it.each([0, 1, 2, 3, 4, 5])('of two TPPs under their own client ids, %i steps apart', async (lag) => {
    const named = { ...TPP, client: 'PSDBE-NBB-0123456789' };
    await takeTurns([named, { ...OTHER, client: 'PSDDE-BAFIN-987654' }], lag);
    expect(await findings()).toEqual([]);
  });

  it.each([0, 1, 2, 3, 4, 5])('of one TPP, %i steps apart', async (lag) => {
    await takeTurns([TPP, TPP, TPP], lag);
    expect(await findings()).toEqual([]);
  });

  it('of one TPP, twenty at once', async () => {
    const walk = async () => {
      for await (const _ of steps(TPP));
    };
    await Promise.all(Array.from({ length: 20 }, walk));
    expect(await findings()).toEqual([]);
  });
});
