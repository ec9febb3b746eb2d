/** Exchanges for what measures a store. */
import { closeCall, createIdSource, type Exchange, openAnswer, openCall } from '../src/exchange/index.js';
import type { Verdicts } from '../src/rules/index.js';
import { dialectOf } from '../src/spec/index.js';

const START = Date.UTC(2026, 5, 15, 10);

/** Forty verdicts, as a call to account information has them. */
export const VERDICTS: Verdicts = Object.fromEntries(
  Array.from({ length: 40 }, (_, i) => [`requests/a-rule-with-a-name-${i}`, 'complied'] as const),
);

/** GETs of the list of accounts with an answer of 1 KB. */
export function exchangeSource(bodies: 'same' | 'own'): () => Exchange {
  const recognise = dialectOf().recognise;
  let now = START;
  let count = 0;
  const nextId = createIdSource({ clock: () => now });
  const target = '/stdgroup/v1/accounts';
  return () => {
    count += 1;
    if (count % 15 === 0) now += 1;
    const requestId = `99391c7e-ad88-49ec-a2ad-${String(count).padStart(12, '0')}`;
    const id = nextId();
    const text = JSON.stringify(accounts(bodies === 'own' ? count : 0));
    const call = openCall(
      {
        id,
        session: 'bench',
        at: now,
        listener: 'api',
        connection: {
          address: '127.0.0.1',
          tls: { version: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384', resumed: false },
        },
        certificate: 'not-observed',
        method: 'GET',
        target,
        headers: [
          ['host', 'localhost:8443'],
          ['connection', 'keep-alive'],
          ['X-Request-ID', requestId],
          ['Consent-Id', 'VALID_CONSENT_ID'],
          ['Authorization', `Bearer ${'5f'.repeat(48)}`],
          ['PSU-IP-Address', '192.0.2.1'],
          ['Accept', 'application/json'],
          ['User-Agent', 'tpp/1.0'],
        ],
        body: null,
      },
      recognise('GET', target),
    );
    const answer = openAnswer({
      source: 'emulator',
      status: 200,
      headers: [
        ['Content-Type', 'application/json'],
        ['Content-Length', String(text.length)],
        ['X-Request-ID', requestId],
        ['Cache-Control', 'no-store'],
      ],
      body: { text, size: text.length },
    });
    return closeCall(call, answer, { total: 0.71, answerer: 0.12 });
  };
}

function accounts(own: number) {
  const digits = String(own).padStart(12, '0');
  return {
    accounts: [1, 2, 3, 4].map((number) => ({
      resourceId: `ACCOUNT_ID_${number}`,
      iban: `BE${number}${digits}1`,
      currency: 'EUR',
      name: 'Current account',
      product: 'SAC',
      cashAccountType: 'CACC',
      bic: 'NICABEBB',
      _links: {
        account: { href: `/stdgroup/v1/accounts/ACCOUNT_ID_${number}` },
        balances: { href: '/b' },
      },
    })),
  };
}
