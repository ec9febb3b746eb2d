/** Pages of a bank whose form leads wherever it is told, behind the gateway's. */
import { expect, onTestFinished } from 'vitest';
import { readAll, startBank } from '../answer/upstream/bank.js';
import { createFiles } from '../answer/upstream/certificates.js';
import { bankCertificates, settingsFor } from './bank-behind.js';
import { CHALLENGE, type TestGateway } from './harness.js';

export const TPP_BACK = 'https://tpp.example/back';

/** Settings that show them; the bank ends with the test. */
export async function settingsOfPages(): Promise<Record<string, unknown>> {
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
  return { ...settingsFor(bank.url, files), source: 'upstream', psuProxy: true };
}

/** A browser opens the authorization request of a TPP. */
export async function showForm(
  gateway: TestGateway,
  state: string,
  headers: Record<string, string> = {},
): Promise<void> {
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: 'PSDBE-NBB-0123456789', scope: 'AIS:VALID_CONSENT_ID', state },
    ...{ redirect_uri: TPP_BACK, code_challenge: CHALLENGE, code_challenge_method: 'S256' },
  });
  const path = '/stdgroup/authorization/authorize/11111111-1111-1111-1111-111111111111';
  const shown = await gateway.call(`${path}?${query}`, { side: 'psu', headers });
  expect([shown.status, shown.text]).toEqual([200, '<form>']);
}

/** The browser sends the form, and is led away. */
export async function sendForm(gateway: TestGateway, to: string): Promise<void> {
  const back = await gateway.call('/login', { side: 'psu', form: { password: 'hunter2', to } });
  expect([back.status, back.headers.location]).toEqual([302, to]);
}

/** Redirects that end authorization requests: the state of each request, and how its end was judged. */
export const endsOf = (
  records: Awaited<ReturnType<TestGateway['records']>>,
): (readonly [state: string | null, verdict: string | undefined])[] =>
  records
    .filter(({ exchange }) => exchange.answer?.status === 302)
    .map(({ exchange, verdicts }) => [
      new URLSearchParams(exchange.call.request.target).get('state'),
      verdicts['answers/redirect-carries-state'],
    ]);
