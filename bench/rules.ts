/** Measures what the rules cost: judging the calls of a journey, and a gateway with all rules against one with none. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLedger, learn } from '../src/ledger/index.js';
import { createJudge, RULES } from '../src/rules/index.js';
import { anExchange, type CallParts, fingerprint, judgeOptions, NOW } from '../test/builders.js';
import { JOURNEY } from '../test/rules/journey.js';
import { type Measured, runLoad, type Server, startGateway } from './processes.js';
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
      learn(ledger, exchange, fingerprint);
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

export interface RulesShareParts {
  /** The built program. */
  readonly program: string;
  /** Arguments of node that run the load. */
  readonly load: readonly string[];
  readonly certs: string;
  readonly folder: string;
  readonly seconds: number;
  readonly runs: number;
  readonly connections: number;
}

export interface RulesShare {
  readonly all: Measured;
  readonly none: Measured;
}

/** Both gateways run at once and take turns under load, so that what else the machine does meets both alike. */
export async function measureRulesShare(parts: RulesShareParts): Promise<RulesShare> {
  const off = join(parts.folder, 'no-rules.json');
  writeFileSync(off, JSON.stringify({ rules: Object.fromEntries(RULES.map(({ id }) => [id, 'off'])) }));
  const all = await startWith(parts, 'all', []);
  const none = await startWith(parts, 'none', ['--config', off]);
  const [withRules, without]: [Measured[], Measured[]] = [[], []];
  for (let run = 0; run < parts.runs; run++) {
    withRules.push(await loadOn(all, parts));
    without.push(await loadOn(none, parts));
  }
  await Promise.all([all.stop(), none.stop()]);
  return { all: median(withRules), none: median(without) };
}

function startWith(
  { program, certs, folder }: RulesShareParts,
  name: string,
  more: readonly string[],
): Promise<Server> {
  return startGateway({ program, certs, store: join(folder, `rules-${name}.db`) }, more);
}

async function loadOn(
  { port }: Server,
  { load, certs, seconds, connections }: RulesShareParts,
): Promise<Measured> {
  const call = await accountsRequest(port, certs);
  const { measured } = await runLoad([...load, ...[port, certs, seconds, connections, call, ''].map(String)]);
  const wrong = Object.keys(measured.statuses).filter((status) => status !== '200');
  if (wrong.length > 0) throw new Error(`the gateway answered ${JSON.stringify(measured.statuses)}`);
  return measured;
}

function median(all: readonly Measured[]): Measured {
  const sorted = [...all].sort((a, b) => a.perSecond - b.perSecond);
  return sorted[Math.floor(sorted.length / 2)] as Measured;
}
