/** Ninety days of a TPP that reads accounts each night: consent, refresh, limit, certificate and the end, in one go. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type IssueOrder, issueInto } from '../../src/app/certificates/index.js';
import { TEST_CERTIFICATES } from '../../src/app/certificates/test-certificates.js';
import { DAY_MS, startTestGateway, type TestGateway } from './harness.js';
import { linked, livingTpp, tokensOf } from './living-tpp.js';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway({ bank: 'living' });
});
afterEach(() => gateway.close());

/** A certificate of the test TPP that ends so many days from now. */
async function endingAfter(days: number): Promise<string> {
  const name = `ends-after-${days}-${process.pid}`;
  const order = {
    name,
    organisation: TEST_CERTIFICATES.tpp.organisation,
    roles: TEST_CERTIFICATES.tpp.roles,
    keyType: 'ec-p256',
    qcType: 'web',
    encoding: 'standard',
    notBefore: gateway.now() - DAY_MS,
    notAfter: gateway.now() + days * DAY_MS - 3_600_000,
  } as const satisfies IssueOrder;
  await issueInto(gateway.certs, order, { p12: null, force: true }, Date.now());
  return name;
}

describe('ninety days of a consent', () => {
  it('are read each night with a fresh token, under two certificates, and end on the last day', async () => {
    let tpp = livingTpp(gateway, await endingAfter(60));
    const { id, tokens } = await linked(tpp, 'psu-1');
    let { access, refresh } = tokens;
    const readAtNight = () => tpp.read('/accounts', id, access, null);
    const first = await readAtNight();
    expect(first.status, first.text).toBe(200);
    for (let day = 1; day < 90; day++) {
      gateway.move(DAY_MS);
      const late = await readAtNight();
      if (day === 60) {
        expect([late.status, late.codes]).toEqual([401, ['CERTIFICATE_EXPIRED']]);
        tpp = livingTpp(gateway, 'tpp');
      } else expect([late.status, late.codes]).toEqual([401, ['TOKEN_EXPIRED']]);
      const refreshed = await tpp.refresh(refresh);
      expect(refreshed.status, `day ${day}: ${refreshed.text}`).toBe(200);
      ({ access, refresh } = tokensOf(refreshed));
      const reads = day % 30 === 0 ? 5 : 1;
      for (let read = 1; read <= reads; read++) {
        const answer = await readAtNight();
        expect(answer.status, `day ${day}, read ${read}: ${answer.text}`).toBe(read < 5 ? 200 : 429);
        if (answer.status === 200) expect(answer.json.accounts).toHaveLength(first.json.accounts.length);
      }
    }
    gateway.move(DAY_MS);
    expect((await tpp.consentStatus(id)).json).toEqual({ consentStatus: 'expired' });
    expect((await readAtNight()).status).toBe(401);
    const ended = await tpp.refresh(refresh);
    expect([ended.status, ended.json.error]).toEqual([400, 'invalid_grant']);

    const renewed = await linked(tpp, 'psu-1');
    expect((await tpp.read('/accounts', renewed.id, renewed.tokens.access, null)).status).toBe(200);
  });
});
