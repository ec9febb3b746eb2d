/** A gateway behind a load balancer: the TPP's certificate comes in a header, and only from the load balancer. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startTestGateway, testCertificates } from './harness.js';

const PATH = '/stdgroup/v1/consents/VALID_CONSENT_ID';
const certs = await testCertificates();
const pemOf = (name: string) => readFileSync(join(certs, `${name}.pem`), 'utf8');
const blocksOf = (name: string) => pemOf(name).match(/-----BEGIN[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
const base64Of = (pem: string) => new X509Certificate(pem).raw.toString('base64');
const [LEAF = '', ...CHAIN] = blocksOf('tpp');

const RFC = { clientCertHeader: 'rfc9440', clientCertFrom: '127.0.0.0/8,::1' };
const FORMS = {
  rfc9440: {
    'Client-Cert': `:${base64Of(LEAF)}:`,
    ...(CHAIN.length === 0
      ? {}
      : { 'Client-Cert-Chain': CHAIN.map((one) => `:${base64Of(one)}:`).join(', ') }),
  },
  nginx: { 'X-SSL-Cert': encodeURIComponent(LEAF) },
  envoy: {
    'X-Forwarded-Client-Cert': `Hash=ab;Cert="${encodeURIComponent(LEAF)}";Chain="${encodeURIComponent(pemOf('tpp'))}"`,
  },
  haproxy: { 'X-SSL-Client-Cert': base64Of(LEAF) },
} as const;

describe('behind a load balancer', () => {
  it.each(Object.entries(FORMS))(
    'a TPP is known by its certificate in the form of %s',
    async (form, headers) => {
      const gateway = await startTestGateway({ ...RFC, clientCertHeader: form });
      const direct = await startTestGateway();
      const answer = await gateway.call(PATH, { cert: null, headers });
      expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('valid')]);
      await direct.call(PATH);
      const [one] = await gateway.records();
      const [other] = await direct.records();
      const { certificate, tpp, connection, request } = one?.exchange.call ?? {};
      expect(tpp).toBe(other?.exchange.call.tpp);
      expect(certificate).toEqual(other?.exchange.call.certificate);
      // The connection stays that of the load balancer, and what it said is no part of the TPP's request.
      expect(connection).toMatchObject({ address: '127.0.0.1', tls: { version: 'TLSv1.3' } });
      expect(request?.headers.map(([name]) => name.toLowerCase())).not.toContain(
        Object.keys(headers)[0]?.toLowerCase(),
      );
      await direct.close();
      await gateway.close();
    },
  );

  it('a certificate of its own is not taken for that of the TPP', async () => {
    const gateway = await startTestGateway(RFC);
    const answer = await gateway.call(PATH, { cert: 'tpp' });
    expect([answer.status, answer.codes]).toEqual([401, ['CERTIFICATE_MISSING']]);
    const other = { 'Client-Cert': `:${base64Of(blocksOf('tpp-other')[0] ?? '')}:` };
    await gateway.call(PATH, { cert: 'tpp', headers: other });
    const [, record] = await gateway.records();
    expect(record?.exchange.call.certificate).toMatchObject({ fingerprint256: fingerprintOf('tpp-other') });
    await gateway.close();
  });

  it('a bad certificate is judged as if it had been shown here', async () => {
    const gateway = await startTestGateway(RFC);
    const headers = { 'Client-Cert': `:${base64Of(blocksOf('bad-expired')[0] ?? '')}:` };
    expect((await gateway.call(PATH, { cert: null, headers })).codes).toEqual(['CERTIFICATE_EXPIRED']);
    await gateway.close();
  });

  it('what cannot be read is told, lets nobody in, and is no fault of the TPP', async () => {
    const gateway = await startTestGateway(RFC);
    const answer = await gateway.call(PATH, { cert: 'tpp', headers: { 'Client-Cert': 'MIIB' } });
    expect([answer.status, answer.codes, answer.headers['sandgate-source']]).toEqual([
      400,
      ['FORMAT_ERROR'],
      'gateway',
    ]);
    expect(answer.text).toContain('client-cert of the load balancer');
    const [record] = await gateway.records();
    expect(record?.exchange.call.certificate).toBe('not-observed');
    expect(record?.verdicts['certificate/presented']).toBe('not-observed');
    expect(record?.findings.filter(({ rule }) => rule.startsWith('certificate/'))).toEqual([]);
    await gateway.close();
  });
});

describe('from anybody else', () => {
  it('such a header is taken off the call, and believed by nobody', async () => {
    const gateway = await startTestGateway({ ...RFC, clientCertFrom: '192.0.2.0/24' });
    const forged = await gateway.call(PATH, { cert: null, headers: FORMS.rfc9440 });
    expect([forged.status, forged.codes]).toEqual([401, ['CERTIFICATE_MISSING']]);
    const shown = await gateway.call(PATH, { cert: 'tpp-other', headers: FORMS.rfc9440 });
    expect(shown.status).toBe(200);
    const records = await gateway.records();
    for (const { exchange } of records) expect(exchange.call.header).not.toHaveProperty('client-cert');
    expect(records[1]?.exchange.call.certificate).toMatchObject({
      fingerprint256: fingerprintOf('tpp-other'),
    });
    await gateway.close();
  });

  it('it means nothing where no load balancer is configured', async () => {
    const gateway = await startTestGateway();
    expect((await gateway.call(PATH, { cert: null, headers: FORMS.rfc9440 })).status).toBe(401);
    await gateway.close();
  });
});

describe('the settings', () => {
  it.each([
    [{ clientCertHeader: 'rfc9440' }, 'go together'],
    [{ clientCertFrom: '10.0.0.0/8' }, 'go together'],
    [{ ...RFC, clientCertFrom: 'lb.example' }, 'addresses or ranges are expected'],
    [{ ...RFC, clientCertHeader: 'apache' }, 'one of rfc9440, nginx, envoy, haproxy'],
  ])('%j are refused', async (settings, text) => {
    await expect(startTestGateway(settings)).rejects.toThrow(text);
  });
});

function fingerprintOf(name: string): string {
  return new X509Certificate(pemOf(name)).fingerprint256.replaceAll(':', '').toLowerCase();
}

describe('the snippet for nginx', () => {
  // nginx answers 495 (wrong) and 496 (none) itself otherwise; scripts/load-balancers.ts tries it with the real program.
  it('leaves the answer to a wrong certificate to the gateway', () => {
    const guide = readFileSync(new URL('../../docs/load-balancer.md', import.meta.url), 'utf8');
    const snippet = /```nginx\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
    expect(snippet).toMatch(/^error_page 495 496 = @(\w+);[\s\S]*^location @\1 \{ proxy_pass/m);
    // Inside a location it would switch off those above it.
    expect(snippet).toMatch(/^proxy_set_header X-SSL-Cert \$ssl_client_escaped_cert;$/m);
  });
});
