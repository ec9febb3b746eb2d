/** A TPP at the living bank, over the wire: it creates consents and payments, and sends its user to authorise them. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { TestGateway } from '../harness.js';

export const CLIENT = 'PSDBE-NBB-0123456789';
const PSU_HEADERS = { 'PSU-IP-Address': '192.0.2.1' };

export interface Flow {
  readonly scope: string;
  readonly resource: string;
  /** Of the authorization request, with its parameters. */
  readonly url: URL;
  readonly state: string;
  readonly verifier: string;
  /** As the TPP sees it now. */
  readonly scaStatus: () => Promise<string>;
  readonly status: () => Promise<string>;
  readonly token: (code: string) => Promise<string>;
}

export interface ATpp {
  readonly consent: (access: object, more?: object) => Promise<Flow>;
  readonly payment: (body: object) => Promise<Flow>;
}

export function aTpp(gateway: Pick<TestGateway, 'call'>, redirectUri: string): ATpp {
  /** Each request has an id of its own. */
  const call: TestGateway['call'] = (path, options) =>
    gateway.call(path, { ...options, headers: { 'X-Request-ID': randomUUID(), ...options?.headers } });
  const headers = () => ({ ...PSU_HEADERS, 'X-Request-ID': randomUUID(), 'TPP-Redirect-URI': redirectUri });

  async function begin(path: string, json: object, service: 'AIS' | 'PIS'): Promise<Flow> {
    const created = await call(path, { json, headers: headers() });
    if (created.status !== 201) throw new Error(`${created.status} ${created.text}`);
    const id: string = created.json.consentId ?? created.json.paymentId;
    const { scaOAuth, scaStatus, status } = created.json._links;
    const read = async (href: string, member: string) =>
      (await call(href, { headers: { 'X-Request-ID': randomUUID() } })).json[member];
    const document = await call(scaOAuth.href, { headers: { 'X-Request-ID': undefined } });
    const url = new URL(document.json.authorization_endpoint);
    const [state, verifier] = [randomBytes(24).toString('base64url'), randomBytes(48).toString('base64url')];
    url.search = new URLSearchParams({
      scope: `${service}:${id}`,
      client_id: CLIENT,
      state,
      redirect_uri: redirectUri,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      response_type: 'code',
    }).toString();
    return {
      scope: `${service}:${id}`,
      resource: id,
      url,
      state,
      verifier,
      scaStatus: () => read(scaStatus.href, 'scaStatus'),
      status: () => read(status.href, service === 'AIS' ? 'consentStatus' : 'transactionStatus'),
      token: async (code) => {
        const form = {
          grant_type: 'authorization_code',
          client_id: CLIENT,
          code,
          code_verifier: verifier,
          redirect_uri: redirectUri,
        };
        const answer = await call('/stdgroup/v1/token', { form, headers: { 'X-Request-ID': undefined } });
        if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
        return answer.json.access_token;
      },
    };
  }

  return {
    consent: (access, more = {}) =>
      begin(
        '/stdgroup/v1/consents',
        {
          access,
          recurringIndicator: true,
          validUntil: '9999-12-31',
          frequencyPerDay: 4,
          combinedServiceIndicator: false,
          ...more,
        },
        'AIS',
      ),
    payment: (body) => begin('/stdgroup/v1/payments/sepa-credit-transfers', body, 'PIS'),
  };
}
