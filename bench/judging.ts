/** Measures judging one call with the whole catalogue, without sockets and store. */
import { createLedger } from '../src/ledger/index.js';
import { createJudge, RULES } from '../src/rules/index.js';
import { anExchange, type CallParts, fingerprint, judgeOptions } from '../test/builders.js';

const CASES: readonly (readonly [string, CallParts])[] = [
  ['consents.status', { operation: 'consents.status' }],
  [
    'accounts.list',
    { operation: 'accounts.list', headers: { Authorization: 'Bearer x', 'Consent-Id': 'VALID_CONSENT_ID' } },
  ],
  [
    'consents.create',
    {
      operation: 'consents.create',
      headers: { 'TPP-Redirect-URI': 'https://tpp.example/back', 'PSU-IP-Address': '192.0.2.1' },
      body: {
        access: { allPsd2: 'allAccounts' },
        recurringIndicator: true,
        validUntil: '2026-08-01',
        frequencyPerDay: 4,
        combinedServiceIndicator: false,
      },
    },
  ],
];

export interface Judging {
  readonly name: string;
  /** µs a call, before the answer and with it. */
  readonly microseconds: number;
}

export function measureJudging(rounds: number): Judging[] {
  const judge = createJudge({ rules: RULES, options: judgeOptions(), fingerprint });
  const ledger = createLedger();
  return CASES.map(([name, call]) => {
    const exchange = anExchange({ call, answer: { body: { consentStatus: 'valid' } } });
    const judgeOnce = () => {
      judge.judgeCall(exchange.call, ledger);
      judge.judgeExchange(exchange, ledger);
    };
    for (let i = 0; i < rounds / 5; i++) judgeOnce();
    const begun = performance.now();
    for (let i = 0; i < rounds; i++) judgeOnce();
    return { name, microseconds: ((performance.now() - begun) / rounds) * 1_000 };
  });
}
