/** Runs one cell: a calm beginning, the weather, and what comes after it; the first that goes wrong is the verdict. */
import { SandgateError } from '../spec/index.js';
import type { RecordedExchange } from '../store/index.js';
import { differencesOf, NOTHING, readBelief } from './belief.js';
import { ACTS, bookedOf, paymentsIn } from './books.js';
import type { Cell } from './cells/index.js';
import { type Acted, createPlay, type Play } from './play.js';
import type { CellResult, Difference, Verdict } from './result.js';
import { isOfApplication, type Stage, shown } from './stage.js';
import { type ActionName, type ActionStep, daysOf, type ReadStep, readStep, stepsOf } from './steps.js';

/** Calls of each action on a calm day, and whether the application asks to be notified. */
export interface CalmDay {
  readonly calls: Readonly<Record<ActionName, number>>;
  readonly isNotified: boolean;
}

const PHASES = ['calm', 'storm', 'after'] as const;
type Phase = (typeof PHASES)[number];

export interface Found {
  readonly verdict: Verdict;
  readonly why: string;
  readonly differences?: readonly Difference[];
}

/** A cell that runs, with all it needs. */
interface Run {
  readonly cell: Cell;
  readonly stage: Stage;
  readonly play: Play;
  readonly calm: CalmDay;
}

/** Without the application's own clock the bank's may be so many days ahead of it. */
const DAYS_APART = 3;

export async function runCell(cell: Cell, stage: Stage, calm: CalmDay): Promise<CellResult> {
  const begun = stage.system.stopwatch();
  const play = createPlay(cell, stage);
  const lack = lackOf(cell, stage, calm);
  const found = lack === null ? await played({ cell, stage, play, calm }) : notRun(lack);
  await stage.gateway.recorder.drain();
  const { id, family } = cell;
  return {
    ...{ id, family, verdict: found.verdict, why: found.why, saw: play.saw },
    differences: found.differences ?? [],
    ms: Math.round(stage.system.stopwatch() - begun),
    calls: lack === null ? stage.recorded().map(shown) : [],
  };
}

const notRun = (why: string): Found => ({ verdict: 'not-run', why });

/** Names what the plan lacks for the cell; null where it has all. */
function lackOf(cell: Cell, { plan: { app } }: Stage, calm: CalmDay): string | null {
  const acts = (action: ActionName, steps = stepsOf(cell)) =>
    steps.some((step) => step.kind === 'action' && step.action === action);
  // A sync that follows may be left out: it asks whether the application goes on, and linking tells that, too.
  const before = stepsOf({ ...cell, after: cell.after.includes('link') ? [] : cell.after });
  const begins = acts('pay') ? [app.link, app.pay] : [app.link];
  const lacks: readonly (readonly [boolean, string])[] = [
    [acts('pay') && app.pay === undefined, 'the plan has no “pay”'],
    [acts('sync', before) && app.sync === undefined, 'the plan has no “sync”'],
    [cell.needs?.includes('belief') === true && app.belief === undefined, 'the plan has no “belief”'],
    [
      cell.needs?.includes('notifications') === true && !calm.isNotified,
      'the application asks for no notifications',
    ],
    [
      daysOf(cell) > DAYS_APART && app.clock === undefined,
      'the plan has no “clock”: the application cannot follow so many days',
    ],
    [
      cell.explicit === true && begins.some((journey) => journey?.begin.includes('{explicit}') !== true),
      'no “begin” of the plan has {explicit}',
    ],
  ];
  return lacks.find(([isLacking]) => isLacking)?.[1] ?? null;
}

async function played(run: Run): Promise<Found> {
  const { cell, stage } = run;
  const wrong = await prepare(run);
  if (wrong !== null) return { verdict: 'crashed', why: `it cannot be brought to its beginning: ${wrong}` };
  let wasTold = false;
  for (const phase of PHASES) {
    if (phase === 'storm') await raise(cell, stage);
    if (phase === 'after') await lift(stage);
    const ends: Acted[] = [];
    let isRead = false;
    for (const step of cell[phase].flatMap(readStep)) {
      if (step.kind === 'action' && step.action === 'sync' && stage.plan.app.sync === undefined) continue;
      if (stage.signal.aborted)
        throw new SandgateError('run.interrupted', { what: `the cell ${cell.id} had not ended` });
      const { acted, found } = await take(step, phase, run);
      ends.push(...acted);
      isRead = step.kind === 'action' && step.action !== 'pay';
      if (found !== null)
        return phase === 'calm' ? { ...found, why: `before the weather, ${found.why}` } : found;
    }
    if (phase !== 'storm') continue;
    const met =
      stage.gateway.faults.unused().length < Math.max(1, cell.weather.length) || cell.weather.length === 0;
    if (!met) return notRun('no call of the application met this weather');
    wasTold = ends.some(({ end }) => end !== 'done');
    const compared = wasTold || cell.blind === true ? null : await compare(run, { isLast: false, isRead });
    if (compared !== null) return compared;
  }
  const compared = await compare(run, { isLast: true, isRead: true });
  if (compared !== null) return compared;
  return {
    verdict: 'handled',
    why: wasTold ? 'it said that it did not work, and went on afterwards' : 'it ended well',
  };
}

/** The bank and the application at their beginning; why that failed, or null. */
async function prepare({ cell, stage, play }: Run): Promise<string | null> {
  const { gateway, bank, application, plan } = stage;
  await lift(stage);
  const wrong = await application.reset(stage.signal, AbortSignal.timeout(stage.actionMs));
  await bank.reset();
  gateway.clock.change({ now: stage.start, mode: 'running' });
  await gateway.switches.change({ scaLink: cell.scaLink ?? 'discovery' });
  if (plan.app.clock !== undefined) await play.request(null, plan.app.clock);
  await gateway.recorder.drain();
  stage.begin();
  return wrong;
}

async function raise({ id, weather }: Cell, { gateway }: Stage): Promise<void> {
  for (const [place, fault] of weather.entries())
    await gateway.faults.add({ id: `${id.replace('/', '.')}.${place + 1}`, ...fault });
  // Certificates are shown at the beginning of connections.
  if (weather.some((fault) => fault.do.kind.startsWith('certificate/'))) gateway.closeIdle();
}

async function lift({ gateway: { faults } }: Stage): Promise<void> {
  await faults.clear();
}

interface Taken {
  readonly acted: readonly Acted[];
  readonly found: Found | null;
}

async function take(step: ReadStep, phase: Phase, run: Run): Promise<Taken> {
  const { stage, play } = run;
  const { gateway, plan, bank } = stage;
  if (step.kind === 'clock') {
    gateway.clock.change({ advance: step.ms });
    if (plan.app.clock !== undefined) await play.request(null, plan.app.clock);
  }
  if (step.kind === 'bank') await ACTS[step.action](bank, play.psuAt(0), gateway.clock.now());
  const before = stage.recorded().length;
  const acted = step.kind === 'action' ? await play.act(step.action, step, step.times) : [];
  if (acted.some(({ end }) => end === 'crashed' || end === 'stranded'))
    await atMost(stage, ENDING_MS, stage.application.whenEnded());
  await notified(stage);
  await gateway.recorder.drain();
  const recorded = stage.recorded().slice(before);
  const refused = recorded.find(
    ({ exchange: { call, answer } }) => call.direction === 'to-tpp' && (answer?.status ?? 0) >= 500,
  );
  const ended = stage.application.ended();
  const found =
    ended !== null
      ? { verdict: 'crashed' as const, why: `its process ended with ${ended}` }
      : refused !== undefined
        ? {
            verdict: 'crashed' as const,
            why: `it answered a notification with ${refused.exchange.answer?.status}`,
          }
        : step.kind === 'action'
          ? judged(step, acted, recorded.filter(isOfApplication), phase, run)
          : null;
  return { acted, found };
}

/** Statuses that payments have are told by now, or are never told. */
async function notified(stage: Stage): Promise<void> {
  // A move of the clock rings its alarms a turn later.
  await atMost(stage, ALARM_MS, NEVER);
  await atMost(stage, NOTIFIED_MS, stage.gateway.notificationsDone());
}
const NEVER = new Promise<void>(() => {});
const ALARM_MS = 5;
const NOTIFIED_MS = 3_000;
/** Connections break before their process is gone. */
const ENDING_MS = 500;

async function atMost({ system }: Stage, ms: number, work: Promise<void>): Promise<void> {
  let cancel = () => {};
  const late = new Promise<void>((resolve) => {
    cancel = system.timer.after(ms, resolve);
  });
  await Promise.race([work, late]);
  cancel();
}

/** By the worst of those that acted. */
function judged(
  step: ActionStep,
  acted: readonly Acted[],
  calls: readonly RecordedExchange[],
  phase: Phase,
  { cell, stage, play, calm }: Run,
): Found | null {
  const one = (end: Acted['end']) => acted.find((some) => some.end === end);
  const late: Verdict | null = phase === 'after' ? 'not-recovered' : null;
  const crashed = one('crashed');
  if (crashed !== undefined) return { verdict: 'crashed', why: crashed.why };
  const hung = one('hung');
  if (hung !== undefined) return { verdict: late ?? 'hung', why: hung.why };
  const users = step.action === 'sync' ? Math.max(1, play.psus.length) * step.times : step.times;
  // The status of each payment may be asked for, and once more when it is told.
  const payments = step.action === 'sync' ? 2 * paymentsIn(stage.bank).length : 0;
  const fair = (calm.calls[step.action] + cell.calls) * users + payments;
  if (calls.length > fair)
    return {
      verdict: 'hammered',
      why: `${calls.length} calls for one ${step.action}, where ${fair} are fair`,
    };
  if (
    cell.isUntrusted === true &&
    phase === 'storm' &&
    calls.some(({ exchange }) => exchange.call.operation !== null)
  )
    return { verdict: 'silently-wrong', why: 'it called a bank whose certificate nobody vouches for' };
  const wrong = acted.find(({ isWrong }) => isWrong);
  if (wrong !== undefined) return { verdict: 'silently-wrong', why: wrong.why };
  if (step.leaves || (cell.away === true && phase === 'storm')) return null;
  const stranded = one('stranded');
  if (stranded !== undefined) return { verdict: late ?? 'stranded', why: stranded.why };
  const told = one('told');
  if (told === undefined || (phase === 'storm' && cell.must !== true)) return null;
  const why = phase === 'after' ? 'the weather had lifted' : 'the bank did all that was asked';
  return { verdict: late ?? 'stranded', why: `${why}, and ${told.why}` };
}

/** `isRead`: the application has just read its accounts. */
async function compare(
  { stage, play }: Run,
  { isLast, isRead }: { readonly isLast: boolean; readonly isRead: boolean },
): Promise<Found | null> {
  const { belief } = stage.plan.app;
  if (belief === undefined) return null;
  const { end, why, text } = await play.request(null, belief);
  if (end !== 'done') return notRun(`belief cannot be asked: ${why}`);
  const believed = readBelief(text);
  if (typeof believed === 'string') return notRun(believed);
  const side = { bank: stage.bank, excused: play.excused, recorded: stage.recorded() };
  // Accounts that were not read yet, or have changed since, are not believed wrongly: that comes with a later sync.
  const booked = bookedOf(side);
  const differences = differencesOf(believed, isRead ? booked : { ...booked, accounts: [] }).filter(
    ({ of, believed: what }) => isLast || what !== NOTHING || !of.startsWith('account '),
  );
  const [first] = differences;
  if (first === undefined) return null;
  const more = differences.length > 1 ? ` (and ${differences.length - 1} more)` : '';
  const told = `${first.of}: the application believes ${first.believed}, the bank has ${first.booked}${more}`;
  return { verdict: 'silently-wrong', why: told, differences };
}
