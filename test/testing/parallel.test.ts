/** Twenty tests side by side, each with a gateway of its own: what one does is nothing to the others. */
import { fileURLToPath } from 'node:url';
import { Agent } from 'undici';
import { describe, it } from 'vitest';
import {
  createConsent,
  deleteConsent,
  listAccounts,
  readBalances,
  readTransactions,
} from '../../examples/tpp/account-information.js';
import { beginAuthorisation, refresh } from '../../examples/tpp/authorisation.js';
import { authoriseAs } from '../../examples/tpp/psu-browser.js';
import { type Gateway, replaySession, startGateway } from '../../src/testing/index.js';
import '../../src/testing/vitest.js';

const CASSETTE = fileURLToPath(
  new URL('../../examples/tpp/cassettes/account-information.json', import.meta.url),
);
const TESTS = Array.from({ length: 20 }, (_, number) => number);
const REDIRECT_URI = 'https://tpp.example/back';
/** Long after the recording. */
const LEAP_DAY = '2028-02-29T12:00:00Z';
const DAY_MS = 86_400_000;

/** Lets nobody on before all have come: every gateway is open while all the others are. */
function createGathering(size: number): (gateway: Gateway) => Promise<readonly Gateway[]> {
  const here: Gateway[] = [];
  let open: (all: readonly Gateway[]) => void;
  const all = new Promise<readonly Gateway[]>((resolve) => {
    open = resolve;
  });
  return (gateway) => {
    here.push(gateway);
    if (here.length === size) open(here);
    return all;
  };
}
const gather = createGathering(TESTS.length);

const dayOf = (gateway: Gateway, days: number) =>
  new Date(gateway.clock.now() + days * DAY_MS).toISOString().slice(0, 10);

interface Walk {
  readonly dispatcher: Agent;
  readonly browser: Agent;
  /** How often the accounts are read without the PSU. */
  readonly unattended: number;
}

/** As the example's test walks it. */
async function walk(gateway: Gateway, { dispatcher, browser, unattended }: Walk): Promise<void> {
  const bank = { api: `${gateway.urls.api}/stdgroup/v1`, clientId: 'VALID_CLIENT_ID', dispatcher };
  const psuIp = '192.0.2.1';
  const order = { redirectUri: REDIRECT_URI, validUntil: dayOf(gateway, 89), psuIp };
  const consent = await createConsent(bank, order);
  const authorisation = { scope: `AIS:${consent.id}`, link: consent.link, redirectUri: REDIRECT_URI };
  const pending = await beginAuthorisation(bank, authorisation);
  const access = await pending.finish(await authoriseAs('SCA_OK', pending.url, browser));
  const reader = { consent, access, psuIp };
  await listAccounts(bank, reader);
  await readBalances(bank, reader, 'ACCOUNT_ID');
  await readTransactions(bank, reader, 'ACCOUNT_ID', dayOf(gateway, -30));
  const later = await refresh(bank, access.refreshToken ?? '');
  for (let read = 0; read < unattended; read++) await listAccounts(bank, { consent, access: later });
  await deleteConsent(bank, consent);
}

/** Of the journey, but for the reads without the PSU. */
const CALLS = 9;
/** Accesses a day without the PSU: one more in the same ledger would be a finding. */
const LIMIT = 4;

describe.concurrent('twenty gateways at once', () => {
  it.for(TESTS)('number %i is alone with its calls', async (number, { expect, onTestFinished }) => {
    const isReplay = number % 2 === 0;
    const gateway = isReplay
      ? await replaySession(CASSETTE, { mode: 'none', startAt: LEAP_DAY })
      : await startGateway();
    const begin = gateway.clock.now();
    const dispatcher = new Agent(gateway.agent());
    const browser = new Agent(gateway.agent(null));
    onTestFinished(async () => {
      await Promise.all([dispatcher.close(), browser.close()]);
      await gateway.close();
    });
    const others = (await gather(gateway)).filter((other) => other !== gateway);
    expect(others).toHaveLength(TESTS.length - 1);
    expect(others.map(({ urls }) => urls.api)).not.toContain(gateway.urls.api);

    const unattended = isReplay ? 1 : LIMIT;
    await walk(gateway, { dispatcher, browser, unattended });
    expect(gateway.session().exchanges).toHaveLength(CALLS + unattended);
    expect(gateway).toComply();
    if (isReplay) expect(gateway).toHaveUsedWholeRecording();

    gateway.clock.advance(`${number + 1}d`);
    const ahead = gateway.clock.now() - begin;
    expect(Math.round(ahead / DAY_MS)).toBe(number + 1);
  });
});
