/** What a reading says of production apart from the sandbox. */
import { expect, it } from 'vitest';
import { startTestGateway, VERIFIER } from '../harness.js';
import { authorizeQuery, CREATE } from './shown.js';

it.each([
  ['sandbox', 'VALID_CLIENT_ID', '200'],
  ['production', 'PSDBE-NBB-0123456789', '400 invalid_grant'],
])(
  'a redirect_uri at the token endpoint that is not that of authorize: %s',
  async (profile, client_id, expected) => {
    const gateway = await startTestGateway({ profile, scaLink: 'direct' });
    const validUntil = new Date(gateway.now() + 80 * 86_400_000).toISOString().slice(0, 10);
    const json = { ...CREATE.json, validUntil };
    const created = await gateway.call('/stdgroup/v1/consents', { ...CREATE, json });
    const query = authorizeQuery({ client_id });
    const end = await gateway.call(`${created.json._links.scaOAuth.href}?${query}`, { side: 'psu' });
    const code = new URL(end.headers.location ?? '').searchParams.get('code') ?? '';
    const form = {
      ...{ grant_type: 'authorization_code', client_id, code, code_verifier: VERIFIER },
      redirect_uri: 'https://tpp.example/other',
    };
    const { status, json: body } = await gateway.call('/stdgroup/v1/token', { form });
    expect([status, body.error].join(' ').trim()).toBe(expected);
    await gateway.close();
  },
);
