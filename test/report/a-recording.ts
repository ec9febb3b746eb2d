/** Sessions in a store as a gateway records them: judged, redacted, with a note of the settings. */
import { drawReport, loadConfig, openSessionSource } from '../../src/app/index.js';
import { openWorld } from '../../src/bank/index.js';
import {
  createFingerprint,
  createIdSource,
  type Exchange,
  redactExchange,
} from '../../src/exchange/index.js';
import { advance, applyChanges, withScope } from '../../src/ledger/index.js';
import type { Report, ReportOptions } from '../../src/report/index.js';
import {
  createJudge,
  type Profile,
  RULES,
  type SeverityOverrides,
  type Waiver,
} from '../../src/rules/index.js';
import { type LocalStore, noteIn, type RecordedExchange, type Store } from '../../src/store/index.js';
import { type AnswerParts, anExchange, type CallParts, judgeOptions, NOW } from '../builders.js';
import { JOURNEY } from '../rules/journey.js';

export interface Sent {
  readonly call: CallParts;
  readonly answer: AnswerParts | null;
  /** Ms after the call before; two seconds where absent. */
  readonly after?: number;
  /** Over the exchange as it was made. */
  readonly with?: Partial<Exchange>;
}

export interface RecordingParts {
  readonly session?: string;
  readonly profile?: Profile;
  readonly overrides?: SeverityOverrides;
  readonly waivers?: readonly Waiver[];
  readonly start?: number;
}

/** A valid journey of a consent and a payment. */
export const VALID: readonly Sent[] = JOURNEY.map(({ call, answer }) => ({ call, answer }));

/** Appends the calls to the store, each with an X-Request-ID of its own where one is asked. */
export function record(
  store: LocalStore,
  sent: readonly Sent[],
  parts: RecordingParts = {},
): RecordedExchange[] {
  const { session = 'june', profile = 'sandbox', overrides = {}, waivers = [], start = NOW } = parts;
  const fingerprint = createFingerprint(store.fingerprintKey);
  const options = judgeOptions(profile);
  const judge = createJudge({ rules: RULES, options, fingerprint, overrides, waivers });
  const { ledger } = openWorld(store.worlds.layers(''));
  let now = start;
  const nextId = createIdSource({ clock: () => now, after: store.calls.newest() });
  noteIn(store, session, {
    at: start,
    kind: 'started',
    settings: {
      ...{ source: 'upstream', stance: 'observe', profile, rules: overrides, waivers },
      ...{ dailyWindow: 'calendar-day', dailyTimeZone: 'Europe/Brussels', segment: 'stdgroup' },
    },
  });
  return sent.map((one, i) => {
    now += one.after ?? 2_000;
    const redacted = redactExchange(openSent(one, nextId(), session, now, i), fingerprint);
    const exchange = withScope(redacted, ledger, fingerprint);
    const before = judge.judgeCall(exchange.call, ledger);
    const { verdicts, findings } = judge.judgeExchange(exchange, ledger, before);
    const changes = advance(ledger, exchange, fingerprint);
    applyChanges(ledger, changes);
    const recorded = { exchange, verdicts, findings };
    store.append({ records: [recorded], changes });
    return recorded;
  });
}

function openSent({ call, answer, with: over }: Sent, id: string, session: string, at: number, i: number) {
  const isOAuth =
    call.operation?.startsWith('oauth.') === true || call.operation === 'notifications.simulate';
  const requestId = `99391c7e-ad88-49ec-a2ad-${String(i).padStart(12, '0')}`;
  const headers = isOAuth ? { 'X-Request-ID': undefined } : { 'X-Request-ID': requestId };
  const made = anExchange({
    call: { id, at, ...call, headers: { ...headers, ...call.headers } },
    answer:
      answer === null
        ? null
        : {
            source: 'upstream',
            ...answer,
            headers: { ...(isOAuth ? {} : { 'X-Request-ID': requestId }), ...answer.headers },
          },
  });
  return { ...made, call: made.call.with({ session }), elapsed: { total: 12.5, answerer: 10 }, ...over };
}

export interface ReportParts extends Partial<ReportOptions> {
  readonly session?: string;
  /** Settings of the user, as flags. */
  readonly flags?: Readonly<Record<string, unknown>>;
}

/** The report of a session, as the command makes it. */
export async function reportOf(
  store: Store,
  { session = 'june', flags = {}, ...options }: ReportParts = {},
): Promise<Report> {
  const found = (await store.sessions()).find(({ name }) => name === session);
  if (found === undefined) throw new Error(`no session ${session}`);
  const parts = { loaded: loadConfig({ flags }), today: '2026-06-16' };
  return drawReport(await openSessionSource(store, found, parts), { version: '1.0.0', ...options });
}
