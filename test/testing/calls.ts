/** Short calls to a gateway of sandgate/testing, as a TPP would make them. */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import { onTestFinished } from 'vitest';
import type { Gateway } from '../../src/testing/index.js';

/** RFC 7636 appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

interface Sent {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: Record<string, string>;
  readonly json?: unknown;
}

export function callsOf(gateway: Pick<Gateway, 'urls' | 'agent'>) {
  const dispatcher = new Agent(gateway.agent());
  onTestFinished(() => dispatcher.close());

  async function call(path: string, { headers, form, json, method }: Sent = {}) {
    const body =
      form === undefined
        ? json === undefined
          ? null
          : JSON.stringify(json)
        : new URLSearchParams(form).toString();
    const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
    const response = await request(`${gateway.urls.api}/stdgroup/v1/${path}`, {
      dispatcher,
      method: method ?? (body === null ? 'GET' : 'POST'),
      headers: {
        'x-request-id': randomUUID(),
        ...(body === null ? {} : { 'content-type': type }),
        ...headers,
      },
      body,
    });
    const text = await response.body.text();
    return { status: response.statusCode, text, json: text === '' ? undefined : JSON.parse(text) };
  }

  const accountHeaders = (token: string, attended: boolean) => ({
    authorization: `Bearer ${token}`,
    'consent-id': 'VALID_CONSENT_ID',
    ...(attended ? { 'psu-ip-address': '192.0.2.1' } : {}),
  });

  return {
    call,
    /** An access token for VALID_CONSENT_ID. */
    fetchToken: async (): Promise<string> => {
      const form = {
        grant_type: 'authorization_code',
        client_id: 'VALID_CLIENT_ID',
        code: 'AIS_VALID_CODE',
        code_verifier: VERIFIER,
      };
      return (await call('token', { form })).json.access_token;
    },
    /** Gives the status. */
    readAccounts: async (token: string, { attended = true, path = 'accounts' } = {}): Promise<number> =>
      (await call(path, { headers: accountHeaders(token, attended) })).status,
  };
}
