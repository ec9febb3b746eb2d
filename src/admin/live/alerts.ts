/** Alerts that the operator should attend to, the gravest kind first. */
import * as z from 'zod';
import { daysLeft } from '../../certificate/index.js';
import { timeOfId, unrecordedText } from '../../exchange/index.js';
import { budgetAt } from '../../ledger/index.js';
import { grouped, ruleText } from '../../report/index.js';
import { counted } from '../../spec/index.js';
import { readable } from '../../store/index.js';
import { count, named, type Shown, time } from '../api/schemas.js';
import { BANK_REMEDY, handshakeRemedy } from '../exchanges/remedies.js';
import { hasEnded } from '../journeys/show-journey.js';
import type { LivePort } from './port.js';
import type { Found, SessionView } from './session-view.js';
import { leftOut, type Thinned } from './thinning.js';

const ALERT_KINDS = [
  'unfinished',
  'store',
  'bank',
  'certificate',
  'limit',
  'finding',
  'handshake',
  'missed',
] as const;

export const alert = named(
  'Alert',
  z.object({
    id: z.string().describe('The same while it is about the same.'),
    kind: z
      .enum(ALERT_KINDS)
      .describe(
        '`finding`: a must or should violated in the last ten minutes; `missed`: of the events; load the list anew, with `most` once it is cleared.',
      ),
    state: z.enum(['raised', 'cleared']),
    at: time.describe('Of its newest occurrence.'),
    text: z.string(),
    remedy: z.string().describe('What to do.'),
    count: count.describe('How often.'),
    exchange: z.string().nullable().describe('Its newest occurrence.'),
    leftOut: leftOut.optional(),
  }),
);

export type Alert = Shown<typeof alert>;

const MOST_UNFINISHED = 20;
const AHEAD_DAYS = 30;

export async function alertsOf(
  session: string,
  view: SessionView,
  port: LivePort,
): Promise<readonly Alert[]> {
  const now = port.now(session);
  const raised = (parts: Raised): Alert => {
    const { at, count: times = 1, exchange = null, ...said } = parts;
    return { ...said, state: 'raised', at: new Date(at).toISOString(), count: times, exchange };
  };
  const alerts: Raised[] = [
    ...(await unfinishedAlerts(session, port)),
    ...storeAlerts(session, port, now),
    ...bankAlerts(view),
    ...certificateAlerts(view, port, now),
    ...limitAlerts(session, view, port, now),
    ...findingAlerts(view, port),
    ...handshakeAlerts(view, port),
  ];
  return alerts.map(raised);
}

const MISSED = { id: 'missed', kind: 'missed', exchange: null } as const;

export const missedAlert = (at: number): Alert => ({
  ...MISSED,
  state: 'raised',
  at: new Date(at).toISOString(),
  count: 1,
  text: 'More was recorded meanwhile than is sent again.',
  remedy: 'Load the list anew.',
});

/** `at`: epoch ms; `calls`: what the client follows, in the plural. */
export const thinnedAlert = (
  at: number,
  calls: string,
  { isOver, rate, total, leftOut }: Thinned,
): Alert => ({
  ...MISSED,
  state: isOver ? 'raised' : 'cleared',
  at: new Date(at).toISOString(),
  count: total,
  leftOut,
  text: isOver ? `${grouped(rate)} ${calls} a second: only the newest are shown.` : `All ${calls} are shown.`,
  remedy: 'Load the list anew once this is cleared: from then on all are shown again.',
});

type Happened = { readonly at: number; readonly count?: number; readonly exchange?: string | null };
type Raised = Omit<Alert, 'state' | 'at' | 'exchange' | 'count'> & Happened;

/** One alert each: somebody has to ask the bank about each of them. */
async function unfinishedAlerts(session: string, { store, unfinished }: LivePort): Promise<Raised[]> {
  const ids = await unfinished(session);
  const records = await Promise.all(
    ids.slice(0, MOST_UNFINISHED).map((id) => readable(store, id, { isBrief: true })),
  );
  const told = records.flatMap((record): Raised[] => {
    if (record === null) return [];
    const { id, at, request, header } = record.exchange.call;
    const requestId = header['x-request-id'];
    return [
      {
        ...{ id: `unfinished ${id}`, kind: 'unfinished', at, exchange: id },
        text: `${request.method} ${request.path} was sent to the bank, which may have acted on it; no end is recorded.`,
        remedy: `Ask the bank for its status before it is sent again${requestId === undefined ? '' : `, with X-Request-ID ${requestId}`}.`,
      },
    ];
  });
  const left = ids.length - MOST_UNFINISHED;
  const [oldest] = told.slice(-1);
  if (left <= 0 || oldest === undefined) return told;
  const text = `${counted(left, 'older call', 'older calls')} to the bank ${left === 1 ? 'has' : 'have'} no recorded end either.`;
  const remedy = 'Filter the calls by fault:unfinished.';
  return [...told, { id: 'unfinished', kind: 'unfinished', at: oldest.at, count: left, text, remedy }];
}

function storeAlerts(session: string, port: LivePort, at: number): Raised[] {
  const lost = port.unrecordedIn(session);
  const hole: Raised[] =
    lost === null
      ? []
      : [
          {
            ...{ id: 'unrecorded', kind: 'store', at: Date.parse(lost.to), count: lost.calls },
            text: unrecordedText(lost),
            remedy: 'The log says why. Reports on this session say so, too.',
          },
        ];
  const problem = port.storeProblem();
  if (problem === null) return hole;
  const remedy = 'Calls are answered 503 until it works; nothing has to be started again.';
  return [{ id: 'store', kind: 'store', at, text: problem, remedy }, ...hole];
}

function bankAlerts(view: SessionView): Raised[] {
  const down = view.bankDown();
  if (down === null) return [];
  return [{ id: 'bank', kind: 'bank', remedy: BANK_REMEDY, ...down }];
}

function certificateAlerts({ certificates }: SessionView, port: LivePort, now: number): Raised[] {
  const own = port.ownCertificates().map(({ what, fingerprint, notAfter, use }) => ({
    what,
    fingerprint,
    notAfter,
    at: now,
    exchange: null,
    remedy:
      use === 'server'
        ? 'Delete server.pem in the folder of certificates and start again: another one is made.'
        : 'Have it renewed, and put the new one in its place; it is read again without a restart.',
  }));
  const used = [...certificates.values()].map(({ subject, fingerprint, notAfter, last, exchange }) => ({
    what: `The certificate of ${subject}`,
    fingerprint,
    notAfter,
    at: last,
    exchange,
    remedy: 'The TPP has to have it renewed; sandgate certs issue makes test certificates.',
  }));
  return [...own, ...used].flatMap(({ what, fingerprint, notAfter, at, exchange, remedy }) => {
    const left = daysLeft(notAfter, now);
    if (left >= AHEAD_DAYS) return [];
    const when =
      left < 0 ? 'has ended' : left === 0 ? 'ends within a day' : `ends in ${counted(left, 'day')}`;
    const text = `${what} ${when} (${notAfter.slice(0, 10)}).`;
    return [{ id: `certificate ${fingerprint}`, kind: 'certificate' as const, at, exchange, text, remedy }];
  });
}

function limitAlerts(session: string, { journeys }: SessionView, port: LivePort, now: number): Raised[] {
  const [ledger, window] = [port.ledgerOf(session), port.window()];
  const around = { ledger, bank: port.bankOf(session), now };
  const open = [...journeys.all()].filter((one) => one.accesses.size > 0 && !hasEnded(one, around));
  return open.flatMap(({ accesses }) =>
    [...accesses].flatMap(([key, { at, exchange }]): Raised[] => {
      const budget = budgetAt(ledger, key, now, window);
      if (budget === undefined || budget.left > 1) return [];
      const { used, allowed, operation, consentId, accountId, freesUp } = budget;
      const what = accountId === '' ? operation : `${operation} of account ${accountId}`;
      return [
        {
          id: `limit ${key}`,
          kind: 'limit',
          at,
          exchange,
          text: `Consent ${consentId} has used ${used} of ${counted(allowed, 'access', 'accesses')} of a day: ${what}.`,
          remedy: `The next is free at ${freesUp}; accesses with the PSU’s address (PSU-IP-Address) do not count.`,
        },
      ];
    }),
  );
}

const LAST_MS = 600_000;
const HOUR_MS = 3_600_000;

/** They go by the machine's time, and sooner where the peer has come back. */
function handshakeAlerts({ handshakes }: SessionView, { clock }: LivePort): Raised[] {
  return [...handshakes].flatMap(([cause, { text, count, at, exchange, hasReturned }]) => {
    const age = clock() - (timeOfId(exchange) ?? 0);
    if (age >= (hasReturned ? LAST_MS : HOUR_MS)) return [];
    const remedy = handshakeRemedy(cause);
    return [{ id: `handshake ${cause}`, kind: 'handshake' as const, at, count, exchange, text, remedy }];
  });
}

const MOST_FINDINGS = 10;

/** By the machine's time: whoever moves the bank's clock has not lost what was found a moment ago. */
function findingAlerts({ rules }: SessionView, { clock, ownRules }: LivePort): Raised[] {
  const since = clock() - LAST_MS;
  return [...rules]
    .filter(([, { worst, exchange }]) => isGrave(worst) && (timeOfId(exchange) ?? 0) >= since)
    .sort(([, a], [, b]) => rank(a) - rank(b) || (a.exchange < b.exchange ? 1 : -1))
    .slice(0, MOST_FINDINGS)
    .map(([id, { at, count, exchange }]) => {
      const { statement, fix } = ruleText(id, ownRules());
      return { id: `finding ${id}`, kind: 'finding', at, count, exchange, text: statement, remedy: fix };
    });
}

const isGrave = (worst: Found['worst']): boolean => worst === 'must' || worst === 'should';
const rank = ({ worst }: Found): number => (worst === 'must' ? 0 : 1);
