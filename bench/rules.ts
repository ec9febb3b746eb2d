/** Measures what the rules cost: judging the calls of a journey, and a gateway with all rules against one with none. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { advance, applyChanges, createLedger } from '../src/ledger/index.js';
import { createJudge, RULES } from '../src/rules/index.js';
import { anExchange, type CallParts, fingerprint, judgeOptions, NOW } from '../test/builders.js';
import { JOURNEY } from '../test/rules/journey.js';
import { type Load, measureTogether, type Row, type Subject } from './measure.js';
import { startGateway } from './processes.js';
import { accountsRequest } from './requests.js';

export interface JourneyCost {
  /** µs a call on average over every call of a journey, before the answer and with it. */
  readonly judging: number;
  /** µs a call for what the ledger learns of it. */
  readonly learning: number;
}

/** Consents, authorisation, tokens, payments, funds, a notification: as they follow each other. */
export function measureJourney(rounds: number): JourneyCost {
  const judge = createJudge({ rules: RULES, options: judgeOptions(), fingerprint });
  const exchanges = JOURNEY.map(({ call, answer }, i) => {
    const headers = { ...call.headers, ...(isOfOAuth(call) ? {} : { 'X-Request-ID': requestId(i) }) };
    return anExchange({
      call: { at: NOW + i * 2_000, ...call, headers },
      answer: { ...answer, headers: { 'X-Request-ID': requestId(i), ...ANSWER_HEADERS, ...answer.headers } },
    });
  });
  const walk = (judging: boolean): void => {
    const ledger = createLedger();
    for (const exchange of exchanges) {
      if (judging) {
        judge.judgeCall(exchange.call, ledger);
        judge.judgeExchange(exchange, ledger);
      }
      applyChanges(ledger, advance(ledger, exchange, fingerprint));
    }
  };
  /** Processor time: what else the machine does meanwhile does not count. */
  const timed = (judging: boolean): number => {
    for (let i = 0; i < rounds / 5; i++) walk(judging);
    const begun = process.cpuUsage();
    for (let i = 0; i < rounds; i++) walk(judging);
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / (rounds * exchanges.length);
  };
  const learning = timed(false);
  return { judging: Math.max(0, timed(true) - learning), learning };
}

const ANSWER_HEADERS = { Location: '/stdgroup/v1/consents/C', 'Cache-Control': 'no-store' };
const isOfOAuth = ({ operation }: CallParts): boolean => operation?.startsWith('oauth.') === true;
const requestId = (i: number): string => `99391c7e-ad88-49ec-a2ad-${String(i).padStart(12, '0')}`;

/** A gateway with no rules and one with all, in turns. */
export function measureRules(
  load: Load,
  { program, folder }: { readonly program: string; readonly folder: string },
): Promise<Row[]> {
  const off = join(folder, 'no-rules.json');
  writeFileSync(off, JSON.stringify({ rules: Object.fromEntries(RULES.map(({ id }) => [id, 'off'])) }));
  const { certs } = load;
  const gateway = (name: string, flags: readonly string[]): Subject => ({
    name,
    start: () => startGateway({ program, certs, store: join(folder, `${name}.db`) }, flags),
    call: ({ port }) => accountsRequest(port, certs),
  });
  return measureTogether([gateway('no rules', ['--config', off]), gateway('all rules', [])], load);
}
