/**
 * A client of another dialect at both banks of the emulator, under profiles of real banks. It knows the links of the Berlin
 * Group and no address but those of its bank: it goes where answers lead.
 */
import { expect, it } from 'vitest';
import { readBankProfile } from '../../src/app/config/bank-profile.js';
import { bankDateAt, dialectOf, SANDBOX_PSU } from '../../src/spec/index.js';
import { DAY_MS, type Reply, started, type TestGateway } from './harness.js';

const BACK = 'https://tpp.example/back';
const CODE = '123456';

/** Without a value: left out. */
type Headers = Readonly<Record<string, string | undefined>>;

interface Person {
  readonly id: string;
  readonly password: string;
  readonly iban: string;
}

/** A client for one bank, with what all of its calls carry. */
function clientOf(gateway: TestGateway, person: Person, sends: Headers) {
  let calls = 0;
  const send = (method: string, target: string, json?: object, headers: Headers = {}): Promise<Reply> =>
    gateway.call(target, {
      method,
      headers: {
        'X-Request-ID': `99391c7e-ad88-49ec-a2ad-${String(++calls).padStart(12, '0')}`,
        'PSU-IP-Address': '192.0.2.1',
        'PSU-ID-Type': 'LOGIN',
        'TPP-Redirect-URI': BACK,
        'PSU-ID': person.id,
        ...sends,
        ...headers,
      },
      ...(json === undefined ? {} : { json }),
    });

  /** What each link of the standard asks for. */
  const STEPS: Record<string, (reply: Reply, href: string) => Promise<Reply>> = {
    startAuthorisation: (_, href) => send('POST', href, {}),
    startAuthorisationWithPsuIdentification: (_, href) => send('POST', href, {}),
    startAuthorisationWithPsuAuthentication: (_, href) =>
      send('POST', href, { psuData: { password: person.password } }),
    startAuthorisationWithEncryptedPsuAuthentication: (_, href) =>
      send('POST', href, { psuData: { encryptedPassword: person.password } }),
    updatePsuIdentification: (_, href) => send('PUT', href, {}),
    updatePsuAuthentication: (_, href) => send('PUT', href, { psuData: { password: person.password } }),
    selectAuthenticationMethod: ({ json }, href) =>
      send('PUT', href, { authenticationMethodId: json.scaMethods[0].authenticationMethodId }),
    authoriseTransaction: (_, href) => send('PUT', href, { scaAuthenticationData: CODE }),
  };

  return {
    send,
    /** Goes on until nothing is left to do; tells the links that it followed. */
    authorise: async (created: Reply, confirm: () => Promise<void>): Promise<readonly string[]> => {
      const followed: string[] = [];
      let reply = created;
      let statusAt = '';
      for (;;) {
        expect(reply.status, reply.text).toBeLessThan(300);
        const links: Record<string, { href: string }> = reply.json._links;
        statusAt = links.scaStatus?.href ?? statusAt;
        const name = Object.keys(links).find((link) => STEPS[link] !== undefined);
        if (links.scaRedirect !== undefined) {
          followed.push('scaRedirect');
          const shown = await gateway.call(links.scaRedirect.href, { cert: null });
          expect(shown.text).toContain('<form');
          const end = await gateway.call(`${links.scaRedirect.href}?scenario=SCA_OK`, { cert: null });
          const [back, query] = String(end.headers.location).split('?');
          expect([end.status, back]).toEqual([302, BACK]);
          const confirmationCode = new URLSearchParams(query).get('confirmationCode');
          expect(confirmationCode === null).toBe(links.confirmation === undefined);
          if (links.confirmation === undefined) break;
          expect((await send('GET', statusAt)).json.scaStatus).toBe('unconfirmed');
          followed.push('confirmation');
          reply = await send('PUT', links.confirmation.href, { confirmationCode });
          continue;
        }
        if (name === undefined) break;
        followed.push(name);
        reply = (await STEPS[name]?.(reply, links[name]?.href ?? '')) ?? reply;
      }
      if (reply.headers['aspsp-sca-approach'] === 'DECOUPLED') {
        expect(reply.json.psuMessage).toEqual(expect.any(String));
        expect((await send('GET', statusAt)).json.scaStatus).toBe('started');
        await confirm();
        followed.push('wait');
      }
      const { scaStatus } = (await send('GET', statusAt)).json;
      return [...followed, scaStatus];
    },
  };
}

/** The PSU confirms on its page of the living bank. */
async function confirmOnPage(gateway: TestGateway, { id, password }: Person): Promise<void> {
  const form = (fields: Record<string, string>) =>
    gateway.call('/stdgroup/authorization/access', { side: 'psu', form: fields });
  const { text } = await form({ step: 'login', login: id, password });
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
  const step = { step: 'confirm', authorisation: field('authorisation'), sca_token: field('sca_token') };
  expect((await form(step)).text).toContain('Successful authorisation');
}

const SANDBOX_PERSON: Person = { ...SANDBOX_PSU, iban: 'BE14983120441783' };

async function firstPerson(gateway: TestGateway): Promise<Person> {
  const [psu] = (await gateway.call('/api/bank/psus?limit=1', { side: 'admin' })).json;
  const account = psu.accounts.find(
    (one: { currency: string; status: string }) => one.currency === 'EUR' && one.status === 'enabled',
  );
  return { id: psu.login, password: psu.password, iban: account.iban };
}

const REDIRECT = { 'TPP-Redirect-Preferred': 'true' };
const DECOUPLED = { 'TPP-Decoupled-Preferred': 'true' };

const WALKS: readonly (readonly [bank: string, sends: Headers, followed: readonly string[]])[] = [
  ['adorsys', {}, ['updatePsuAuthentication', 'selectAuthenticationMethod', 'authoriseTransaction']],
  ['adorsys', REDIRECT, ['scaRedirect']],
  ['adorsys', DECOUPLED, ['wait']],
  ['consorsbank', { 'PSU-ID': undefined }, ['scaRedirect']],
  [
    'deutsche-bank',
    { Date: 'Tue, 24 Nov 2026 10:00:00 GMT' },
    [
      'startAuthorisationWithEncryptedPsuAuthentication',
      'selectAuthenticationMethod',
      'authoriseTransaction',
    ],
  ],
  ['dkb', { 'PSD2-AUTHORIZATION': 'Bearer of-the-dkb' }, ['updatePsuAuthentication', 'authoriseTransaction']],
  ['obp', {}, ['startAuthorisation', 'updatePsuAuthentication', 'authoriseTransaction']],
  ['obp', REDIRECT, ['scaRedirect', 'confirmation']],
  ['olb', {}, ['scaRedirect']],
  ['sparda', {}, ['scaRedirect']],
  [
    'sparkasse',
    {},
    ['startAuthorisationWithPsuAuthentication', 'selectAuthenticationMethod', 'authoriseTransaction'],
  ],
  ['unicredit', {}, ['startAuthorisation', 'updatePsuAuthentication', 'authoriseTransaction']],
  [
    'verlag',
    {},
    ['startAuthorisationWithPsuAuthentication', 'selectAuthenticationMethod', 'authoriseTransaction'],
  ],
];

it.each(WALKS.flatMap((walk) => (['sandbox', 'living'] as const).map((bank) => [bank, ...walk] as const)))(
  'at the %s bank a client of %s that sends %j follows %j',
  async (bank, name, sends, followed) => {
    const gateway = await started({ bankProfile: name, bank });
    const dialect = dialectOf(readBankProfile(name));
    const person = bank === 'sandbox' ? SANDBOX_PERSON : await firstPerson(gateway);
    const client = clientOf(gateway, person, sends);
    const confirm = async () => (bank === 'sandbox' ? gateway.move(20_000) : confirmOnPage(gateway, person));

    const consent = await client.send('POST', dialect.pathOf('consents.create'), {
      access: { allPsd2: 'allAccounts' },
      ...{ recurringIndicator: true, frequencyPerDay: 4, combinedServiceIndicator: false },
      validUntil: bankDateAt(gateway.now() + 30 * DAY_MS),
    });
    expect(await client.authorise(consent, confirm)).toEqual([...followed, 'finalised']);
    expect((await client.send('GET', consent.json._links.status.href)).json.consentStatus).toBe('valid');
    const reads = { 'Consent-ID': consent.json.consentId };
    const list = await client.send('GET', dialect.pathOf('accounts.list'), undefined, reads);
    expect(list.status, list.text).toBe(200);
    const { transactions } = list.json.accounts[0]._links;
    const booked = await client.send('GET', `${transactions.href}?bookingStatus=booked`, undefined, reads);
    expect(booked.json.transactions.booked.length, booked.text).toBeGreaterThan(0);

    const product = { paymentService: 'payments', paymentProduct: 'sepa-credit-transfers' };
    const payment = await client.send('POST', dialect.pathOf('payments.create', product), {
      instructedAmount: { currency: 'EUR', amount: '1.00' },
      ...{ debtorAccount: { iban: person.iban }, creditorAccount: { iban: 'BE86986509812450' } },
      creditorName: 'Fietsenatelier Roeland',
    });
    expect(await client.authorise(payment, confirm)).toEqual([...followed, 'finalised']);
    const { transactionStatus } = (await client.send('GET', payment.json._links.status.href)).json;
    if (bank === 'living') expect(['ACTC', 'ACSP', 'ACSC']).toContain(transactionStatus);

    const records = await gateway.records();
    const blamed = records.flatMap(({ exchange, findings }) =>
      findings
        .filter(({ severity }) => severity !== 'note')
        .map(
          ({ rule, place, expected, actual }) =>
            `${exchange.call.operation}: ${rule}, ${place}: ${expected}, not ${actual}`,
        ),
    );
    expect(blamed).toEqual([]);
    const kept = JSON.stringify(records);
    for (const secret of [person.password, CODE])
      expect(kept.includes(`"${secret}"`) || kept.includes(`\\"${secret}\\"`), `${secret} is recorded`).toBe(
        false,
      );
  },
  60_000,
);
