/** Which fault meets a call, a notification or a connection, and what it does to it. */
import type { Answered, Disturbance } from '../answer/index.js';
import type { BankChange, World } from '../bank/index.js';
import { type Call, closeCall, type Injection, openCall } from '../exchange/index.js';
import { matches, type RecordedExchange } from '../store/index.js';
import { answerProblem } from './answers.js';
import { type Counted, type CountingParts, createCounting } from './counting.js';
import type { Fault } from './fault.js';
import type {
  CallKind,
  ConnectionFault,
  ConnectionKind,
  Effect,
  Kind,
  Met,
  NotificationKind,
} from './kind.js';

export interface WeatherParts extends CountingParts {
  readonly fingerprint: (secret: string) => string;
}

export type Asked = Answered | null | Promise<Answered | null>;

/** A fault in force. */
interface Armed<K extends Kind | CallKind<object> = CallKind<object>> extends Omit<Fault, 'kind'> {
  readonly kind: K;
  readonly fits: (record: RecordedExchange) => boolean;
  /** Uses are counted under it, so that a fault that is set again begins anew. */
  readonly run: string;
  readonly isCounted: boolean;
}

interface Place {
  readonly call: Call;
  readonly world: World;
}

export type Weather = ReturnType<typeof createWeather>;

export function createWeather({ fingerprint, ...parts }: WeatherParts) {
  const { count, claim, draws } = createCounting(parts);
  let armed: readonly Armed[] = [];
  let ofNotifications: readonly Armed<NotificationKind>[] = [];
  let ofConnections: readonly Armed<ConnectionKind>[] = [];
  const used = new Set<string>();

  /** What a fault does: in the place of the bank, or with its answer; undefined: nothing. */
  function effectOf(
    place: Place,
    { kind, given, row }: Armed,
    nth: number,
    of?: Answered,
  ): Effect | undefined {
    const draw = draws(`${row.id} effect`, nth);
    const met: Met<object> = { ...place, given, draw, fingerprint };
    return of === undefined ? kind.instead?.(met) : kind.after?.(met, of);
  }

  function applied(
    { row, key, run }: Armed,
    effect: Effect,
    call: Call,
    of: Answered | undefined,
    counted: readonly BankChange[],
  ): Answered {
    used.add(run);
    const { answer, changes, ...delivery } = effect;
    const arrived = of !== undefined && answer === undefined && !isCutOff(effect);
    const did = arrived ? {} : { did: of?.answer.status ?? null };
    const injected: Injection = { fault: row.id, kind: key, ...did, ...delivery };
    const { wire, ...rest } = of ?? { answer: answerProblem(call, { status: 504, form: 'empty' }) };
    // Bytes of the bank, in its coding, go with its body alone.
    const isItsBody = answer === undefined || answer.body === rest.answer.body;
    return {
      ...rest,
      ...(answer === undefined ? {} : { answer }),
      ...(isItsBody && wire !== undefined ? { wire } : {}),
      changes: [...(changes ?? of?.changes ?? []), ...counted],
      injected,
    };
  }

  function meetFirst(place: Place, faults: readonly Armed[], ask: () => Asked): Asked {
    const { call } = place;
    const passed: BankChange[] = [];
    const waiting: { readonly fault: Armed; readonly counted: Counted }[] = [];
    for (const fault of faults) {
      const counted = count(place.world, fault);
      const effect = effectOf(place, fault, counted.nth);
      if (effect === undefined) waiting.push({ fault, counted });
      else if (!counted.meets) passed.push(...counted.changes);
      else if (!waiting.some((one) => one.counted.meets))
        return applied(fault, effect, call, undefined, [...passed, ...counted.changes]);
    }
    const answered = ask();
    if (answered instanceof Promise) return answered.then((later) => meetLater(place, faults, later));
    if (answered === null) return null;
    for (const { fault, counted } of waiting) {
      const effect = effectOf(place, fault, counted.nth, answered);
      if (effect === undefined) continue;
      if (counted.meets) return applied(fault, effect, call, answered, [...passed, ...counted.changes]);
      passed.push(...counted.changes);
    }
    return passed.length === 0
      ? answered
      : { ...answered, changes: [...(answered.changes ?? []), ...passed] };
  }

  /**
   * The answer took its time, and other calls may have been counted meanwhile: each use is kept by itself, before it has its
   * effect. An answer that is passed on while it arrives stays as it is.
   */
  async function meetLater(
    place: Place,
    faults: readonly Armed[],
    answered: Answered | null,
  ): Promise<Answered | null> {
    if (answered === null || answered.completed !== undefined) return answered;
    for (const fault of faults) {
      const canMeet = effectOf(place, fault, 0, answered) !== undefined;
      const nth = canMeet ? await claim(place.world, fault) : null;
      const effect = nth === null ? undefined : effectOf(place, fault, nth, answered);
      if (effect !== undefined) return applied(fault, effect, place.call, answered, []);
    }
    return answered;
  }

  async function connectTo(
    world: World,
    fitting: readonly Armed<ConnectionKind>[],
  ): Promise<ConnectionFault | null> {
    for (const fault of fitting) {
      if ((await claim(world, fault)) === null) continue;
      const { row, key, run, given, kind } = fault;
      used.add(run);
      const meets = typeof kind.connection === 'string' ? kind.connection : kind.connection(given);
      return { meets, injected: { fault: row.id, kind: key, did: null } };
    }
    return null;
  }

  return {
    /** Takes the place of all faults that there were. */
    set: (faults: readonly { readonly fault: Fault; readonly run: string }[]): void => {
      for (const run of used) if (!faults.some((one) => one.run === run)) used.delete(run);
      armed = faults.flatMap(({ fault, run }) => {
        const { kind } = fault;
        return 'meets' in kind ? [arm(fault, kind as CallKind<object>, run)] : [];
      });
      ofNotifications = faults.flatMap(({ fault, run }) => {
        const { kind } = fault;
        return 'how' in kind ? [arm(fault, kind, run)] : [];
      });
      ofConnections = faults.flatMap(({ fault, run }) => {
        const { kind } = fault;
        return 'connection' in kind ? [arm(fault, kind, run)] : [];
      });
    },
    /** Asks for the answer to a call, in the weather that it meets. The first fault that fits and has an effect wins. */
    meet: (call: Call, world: World, ask: () => Asked): Asked => {
      if (armed.length === 0) return ask();
      const fits = fitsTo(call);
      const faults = armed.filter((fault) => fault.kind.meets(call) && fits(fault));
      return faults.length === 0 ? ask() : meetFirst({ call, world }, faults, ask);
    },
    /** The first fault that fits a notification. `isFollowed`: another status of the payment will follow. */
    disturb: async (call: Call, world: World, isFollowed: boolean): Promise<Disturbance | null> => {
      const fits = fitsTo(call);
      for (const fault of ofNotifications) {
        const { row, key, run, given, kind } = fault;
        const canMeet = (isFollowed || kind.how !== 'behind') && fits(fault);
        if (!canMeet || (await claim(world, fault)) === null) continue;
        used.add(run);
        return { how: kind.how, injected: { fault: row.id, kind: key, ...given } };
      }
      return null;
    },
    /** The first fault that fits a connection to the API listener; null at once where there is none. `at`: epoch ms. */
    connect: (world: World, at: number): ConnectionFault | null | Promise<ConnectionFault | null> => {
      if (ofConnections.length === 0) return null;
      const fitting = ofConnections.filter(fitsTo(aConnection(at)));
      return fitting.length === 0 ? null : connectTo(world, fitting);
    },
    /** Whether a fault has met a call since it was set, at this gateway. */
    wasUsed: (run: string): boolean => used.has(run),
  };
}

const NO_TIME = { total: 0, answerer: 0 } as const;

/** A connection that has brought no call yet, for filters. */
const aConnection = (at: number): Call =>
  openCall(
    {
      ...{ id: '', session: '', at, listener: 'api', certificate: 'not-observed' },
      connection: { address: 'unknown', tls: 'not-observed' },
      ...{ method: '', target: '', headers: [], body: null },
    },
    { kind: 'path-unknown', nearest: '' },
  );

const isCutOff = ({ end }: Effect): boolean => end !== undefined && end !== 'after';

/** Whether faults fit a call, which nobody has answered. */
function fitsTo(call: Call): (fault: Pick<Armed, 'from' | 'until' | 'fits'>) => boolean {
  const record = { exchange: closeCall(call, null, NO_TIME), verdicts: {}, findings: [] };
  return ({ from, until, fits }) => from <= call.at && call.at < until && fits(record);
}

function arm<K extends Armed['kind'] | Kind>(fault: Fault, kind: K, run: string): Armed<K> {
  const { after, count, share } = fault.row;
  return {
    ...fault,
    kind,
    fits: matches(fault.where),
    run,
    isCounted: after > 0 || count !== undefined || share < 1,
  };
}
