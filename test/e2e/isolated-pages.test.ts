/** Pages of a bank, with a world for each session: the redirect that ends an authorisation finds its own. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { readAll, startBank } from '../answer/upstream/bank.js';
import { createFiles } from '../answer/upstream/certificates.js';
import { aSchema } from '../postgres/schemas.js';
import { all } from '../rows.js';
import { aPath } from '../store/stores.js';
import { bankCertificates, settingsFor } from './bank-behind.js';
import { CHALLENGE, startTestGateway, type TestGateway } from './harness.js';

const BACK = 'https://tpp.example/back';

/** Its page leads wherever the form that is sent to it says. */
async function settingsOfBank(): Promise<Record<string, unknown>> {
  const bank = await startBank(
    bankCertificates,
    async (request, response) => {
      const to = new URLSearchParams((await readAll(request)).toString()).get('to');
      if (to === null) response.writeHead(200, { 'Content-Type': 'text/html' }).end('<form>');
      else response.writeHead(302, { Location: to }).end();
    },
    { requestCert: false, rejectUnauthorized: false },
  );
  const files = createFiles();
  onTestFinished(async () => {
    await bank.close();
    files.remove();
  });
  return { ...settingsFor(bank.url, files), source: 'upstream', psuProxy: true, isolateSessions: true };
}

async function start(settings: Record<string, unknown>, lane: number): Promise<TestGateway> {
  const gateway = await startTestGateway(settings, lane);
  onTestFinished(gateway.app.close);
  return gateway;
}

async function authorise(gateway: TestGateway, session: string, state: string): Promise<void> {
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: 'PSDBE-NBB-0123456789', scope: 'AIS:VALID_CONSENT_ID', state },
    ...{ redirect_uri: BACK, code_challenge: CHALLENGE, code_challenge_method: 'S256' },
  });
  const path = '/stdgroup/authorization/authorize/11111111-1111-1111-1111-111111111111';
  const shown = await gateway.call(`${path}?${query}`, {
    side: 'psu',
    headers: { 'Sandgate-Session': session },
  });
  expect([shown.status, shown.text]).toEqual([200, '<form>']);
}

async function leave(gateway: TestGateway, to: string): Promise<void> {
  const back = await gateway.call('/login', { side: 'psu', form: { to } });
  expect([back.status, back.headers.location]).toEqual([302, to]);
}

describe.each([
  ['a file of SQLite', () => ({ store: aPath() })],
  ['PostgreSQL', () => ({ store: aSchema(), storeKeyFile: aPath('store.key') })],
])('gateways on %s', (_, store) => {
  it('record it in its session, also where no call of that has come before, and after a restart, once', async () => {
    const settings = { ...store(), ...(await settingsOfBank()) };
    const [one, other, third] = [
      await start(settings, 0),
      await start(settings, 1),
      await start(settings, 2),
    ];
    const endsIn = async (session: string) =>
      (await all(third.app.store.read(session)))
        .filter(({ exchange }) => exchange.answer?.status === 302)
        .map(({ exchange, verdicts }) => [
          new URLSearchParams(exchange.call.request.target).get('state'),
          verdicts['answers/redirect-carries-state'],
        ]);
    await authorise(one, 'june', 'in-june');
    await authorise(one, 'july', 'in-july');
    await leave(other, `${BACK}?code=c1&state=nobody-waits`);
    expect([await endsIn('june'), await endsIn('july'), await endsIn('test')]).toEqual([[], [], []]);
    await leave(other, `${BACK}?code=c2&state=in-july`);
    expect([await endsIn('june'), await endsIn('july')]).toEqual([[], [['in-july', 'complied']]]);
    await one.app.close();
    const late = await start(settings, 0);
    await leave(late, `${BACK}?code=c3&state=in-june`);
    for (const gateway of [other, third, late])
      for (const state of ['in-june', 'in-july']) await leave(gateway, `${BACK}?code=c4&state=${state}`);
    expect([await endsIn('june'), await endsIn('july'), await endsIn('test')]).toEqual([
      [['in-june', 'complied']],
      [['in-july', 'complied']],
      [],
    ]);
  });
});
