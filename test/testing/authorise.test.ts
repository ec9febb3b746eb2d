/** The SCA that a TPP's test walks without a browser. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCA_SCENARIO_IDS, SCA_SCENARIOS } from '../../src/spec/index.js';
import { type AuthoriseOptions, type Gateway, startGateway } from '../../src/testing/index.js';
import { callsOf } from './calls.js';

const BACK = 'https://tpp.example/cb';
const STATE = 'S8NJ7uqk5fY4EjNvP_G_FtyJu6pUsvH9jsYni9dMAJw';
const PARAMETERS = {
  clientId: 'PSDBE-NBB-0123456789',
  redirectUri: BACK,
  state: STATE,
  codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
};

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ settings: { bank: 'living' } });
}, 60_000);
afterAll(() => gateway.close());

interface Created {
  readonly link: string;
  readonly consentId: string;
  readonly given: AuthoriseOptions;
}

async function create(access: object = { balances: [] }, of = gateway): Promise<Created> {
  const json = {
    access,
    recurringIndicator: true,
    validUntil: '9999-12-31',
    frequencyPerDay: 4,
    combinedServiceIndicator: false,
  };
  const created = await callsOf(of).call('consents', {
    json,
    headers: { 'psu-ip-address': '192.0.2.1', 'tpp-redirect-uri': BACK },
  });
  const { consentId, _links } = created.json;
  return { link: _links.scaOAuth.href, consentId, given: { ...PARAMETERS, scope: `AIS:${consentId}` } };
}

const asked = ({ clientId, redirectUri, scope }: AuthoriseOptions) => ({ clientId, redirectUri, scope });
const consentOf = async (id: string) => (await callsOf(gateway).call(`consents/${id}`)).json;

describe('gateway.authorise', () => {
  it('goes from the scaOAuth link to the redirect', async () => {
    const { link, consentId, given } = await create();
    const { url, verifier, clientId, redirectUri, scope, ...back } = await gateway.authorise(link, {
      ...given,
      psu: 'psu-1',
    });
    expect(back).toEqual({ code: expect.any(String), state: STATE, error: null, errorDescription: null });
    expect({ clientId, redirectUri, scope }).toEqual(asked(given));
    // The challenge was the caller's.
    expect(verifier).toBe(null);
    expect(url.startsWith(`${BACK}?code=${back.code}&state=`)).toBe(true);
    expect((await consentOf(consentId)).consentStatus).toBe('valid');
  });

  it('takes the whole authorize address, and selects accounts', async () => {
    const { link, consentId, given } = await create();
    const id = new URL(link).searchParams.get('authorizationId');
    const address = new URL(`${gateway.urls.psu}/stdgroup/authorization/authorize/${id}`);
    address.search = new URLSearchParams({
      ...{ scope: given.scope ?? '', client_id: PARAMETERS.clientId, state: STATE, redirect_uri: BACK },
      ...{ code_challenge: PARAMETERS.codeChallenge, code_challenge_method: 'S256', response_type: 'code' },
    }).toString();
    await gateway.authorise(address, { psu: 'psu-1', accounts: ['acc-1-2'] });
    expect((await consentOf(consentId)).access.balances).toHaveLength(1);
  });

  it.each(SCA_SCENARIO_IDS)('ends with %s', async (outcome) => {
    const { link, given } = await create();
    const { error } = SCA_SCENARIOS[outcome];
    const back = await gateway.authorise(link, { ...given, outcome });
    expect([back.error, back.code !== null, back.state]).toEqual([error, error === null, STATE]);
  });

  it.each([
    [
      'an unknown PSU',
      { psu: 'psu-9999999' },
      'it answered 400, Unknown PSU: The bank knows no PSU psu-9999999.',
    ],
    [
      'an account of nobody',
      { psu: 'psu-1', accounts: ['acc-2-1'] },
      'The PSU psu-1 has no account acc-2-1.',
    ],
    [
      'a misspelt outcome',
      { outcome: 'SCA_NO' as 'SCA_NOK' },
      'There is no outcome SCA_NO: Did you mean SCA_',
    ],
  ])('says what is wrong with %s', async (_, wrong, text) => {
    const { link, given } = await create();
    await expect(gateway.authorise(link, { ...given, ...wrong })).rejects.toThrow(
      text.replace(': Did', '. Did'),
    );
  });

  it('says so where the authorisation has ended, is another TPP’s, or nobody listens', async () => {
    const { link, given } = await create();
    await gateway.authorise(link, given);
    await expect(gateway.authorise(link, given)).rejects.toThrow('This authorisation has ended');
    await expect(gateway.authorise(link, given, 'tpp-other')).rejects.toThrow('it answered 40');
    await expect(gateway.authorise('https://localhost:1/x', given)).rejects.toThrow('ECONNREFUSED');
    await expect(gateway.authorise('nowhere', given)).rejects.toThrow('nowhere lacks scheme and host');
    const strange = 'https://localhost:1/x';
    await expect(gateway.authorise(strange)).rejects.toThrow('lacks clientId, redirectUri, scope: give');
  });

  it('walks the sandbox bank too', async () => {
    const sandbox = await startGateway();
    try {
      const { link } = await create({ allPsd2: 'allAccounts' }, sandbox);
      const back = await sandbox.authorise(link, { ...PARAMETERS, scope: 'AIS:VALID_CONSENT_ID' });
      expect(back.code).toBe('AIS_VALID_CODE');
      const failed = await sandbox.authorise(link, {
        ...{ ...PARAMETERS, scope: 'AIS:VALID_CONSENT_ID' },
        outcome: 'SCA_NOK',
      });
      expect(failed.error).toBe('access_denied');
    } finally {
      await sandbox.close();
    }
  });
});
