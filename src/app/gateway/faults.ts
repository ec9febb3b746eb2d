/** The faults in force: out of the file of the settings, and as operators change them; the same at all gateways of a store. */
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ShownFault } from '../../admin/index.js';
import type { Disturbance } from '../../answer/index.js';
import type { BankChange } from '../../bank/index.js';
import { type Call, memberOf, parseJsonText } from '../../exchange/index.js';
import { readText } from '../../files/index.js';
import { SandgateError, slipOf } from '../../spec/index.js';
import { type Awaitable, after } from '../../store/index.js';
import {
  checkTogether,
  createWeather,
  type Fault,
  type FaultRow,
  readFault,
  readFaults,
} from '../../weather/index.js';
import type { Remember } from '../bank/index.js';
import type { Config } from '../config/config.js';
import { allSourcesOf } from '../config/values.js';
import type { Apply } from './headers.js';
import type { Recording } from './recording.js';
import type { Positions, Switches } from './switches.js';
import type { RunningWorld } from './worlds.js';

/** A fault as it is shared: `run` begins its counting anew. */
interface Shared {
  readonly row: FaultRow;
  readonly run: string;
}

interface Running extends Shared {
  readonly fault: Fault;
}

interface FaultsParts extends Pick<Recording, 'headers' | 'sessions' | 'worlds' | 'fingerprint' | 'clock'> {
  readonly config: Pick<Config, 'faults' | 'bankSeed' | 'sources' | 'certs'>;
  readonly switches: Pick<Switches, 'current'>;
  readonly remember: Remember;
  readonly uuid: () => string;
}

/** @throws SandgateError where the file cannot be used, or has a fault that no source here can play */
export function createFaults(parts: FaultsParts) {
  const { config, headers, sessions, worlds, switches } = parts;
  const weather = createWeather({
    seed: config.bankSeed,
    fingerprint: parts.fingerprint,
    remember: (world, changes) => parts.remember(world as RunningWorld, changes),
  });
  const file = config.faults;
  const written = file === undefined ? [] : readFaults(parseJsonText(readText(file), file), file);
  let running: readonly Running[] = [];

  const put = (all: readonly Running[]): void => {
    running = all;
    weather.set(all);
  };
  const rows = (): readonly FaultRow[] => running.map(({ row }) => row);

  /** Makes a change for all gateways or for none. */
  function change(
    next: (before: readonly Running[]) => readonly Running[],
  ): Awaitable<readonly ShownFault[]> {
    let gone: readonly Running[] = [];
    const apply: Apply = () => {
      const before = running;
      put(next(before));
      gone = before.filter((one) => !running.includes(one));
      return () => put(before);
    };
    return after(headers.share(apply), () => {
      sessions.changed({ faults: rows() });
      for (const world of worlds.open()) void parts.remember(world, countsOf(world, gone));
      return list();
    });
  }

  /** What counted faults is of no use without them. */
  const countsOf = ({ bank }: RunningWorld, gone: readonly Running[]): readonly BankChange[] =>
    gone
      .filter(({ row, run }) => bank.bankFaults.peek(row.id)?.run === run)
      .map(({ row }) => ({ family: 'bankFaults', key: row.id, fact: null }));

  function problemOf(
    { row, key, kind }: Fault,
    { source, bank }: Pick<Positions, 'source' | 'bank'> = switches.current(),
  ): SandgateError | null {
    if ('connection' in kind && kind.signs && !existsSync(join(config.certs, 'ca.key')))
      return new SandgateError('weather.needs-key', {
        id: row.id,
        kind: key,
        file: join(config.certs, 'ca.key'),
      });
    const isOurs = allSourcesOf({ source, sources: config.sources }).has('emulator');
    if (kind.needs === undefined || (isOurs && (kind.needs === 'emulator' || bank === 'living'))) return null;
    const needed = kind.needs === 'living' ? 'the living bank' : 'the emulator';
    return new SandgateError('weather.needs-bank', { id: row.id, kind: key, bank: needed });
  }

  function checkPlayable(fault: Fault): void {
    const problem = problemOf(fault);
    if (problem !== null) throw problem;
  }

  const list = (): readonly ShownFault[] =>
    running.map(({ row, run }) => {
      const held = worlds.common.bank.bankFaults.peek(row.id);
      return { ...row, times: held?.run === run ? held.times : 0 };
    });

  for (const fault of written) checkPlayable(fault);
  // Gateways that begin with the same file in the same session count together.
  put(written.map((fault) => ({ fault, row: fault.row, run: `${sessions.current()} ${fault.row.id}` })));
  if (running.length > 0) sessions.changed({ faults: rows() });
  headers.add('faults', {
    under: hash('sha256', JSON.stringify(written.map(({ row }) => row)), 'base64url'),
    read: () => running.map(({ row, run }): Shared => ({ row, run })),
    adopt: (shared) => {
      put((shared as readonly Shared[]).map((one) => ({ ...one, fault: readFault(one.row, one.row.id) })));
      sessions.knows({ faults: rows() });
    },
  });

  return {
    meet: weather.meet,
    /** Why these settings cannot be switched to while the faults are in force that there are. */
    problemWith: (wanted: Pick<Positions, 'source' | 'bank'>): SandgateError | null =>
      running.map(({ fault }) => problemOf(fault, wanted)).find((one) => one !== null) ?? null,
    connect: () => weather.connect(worlds.common, parts.clock.now()),
    /** The payment that a notification names is no parameter of its address, but faults may ask for it. */
    disturb: (notification: Call, isFollowed: boolean): Promise<Disturbance | null> => {
      const { content, session } = notification;
      const id = content.kind === 'json' ? memberOf(content.value, 'payment-ID') : undefined;
      const params = typeof id === 'string' ? { paymentId: id, consentId: id } : {};
      return weather.disturb(notification.with({ params }), worlds.of(session), isFollowed);
    },
    /** In the order in which they are tried. */
    list,
    /** Behind the others. @throws SandgateError for a row that is not as it should be, or whose id is there already */
    add: (row: unknown): Awaitable<readonly ShownFault[]> => {
      const fault = readFault(row, 'fault');
      checkPlayable(fault);
      const one = { fault, row: fault.row, run: parts.uuid() };
      return change((before) => {
        const all = [...before, one];
        checkTogether(all.map(({ fault: each }) => each));
        return all;
      });
    },
    /** @throws SandgateError where there is none of that id */
    remove: (id: string): Awaitable<readonly ShownFault[]> =>
      change((before) => {
        const rest = before.filter(({ row }) => row.id !== id);
        if (rest.length < before.length) return rest;
        const nearest = slipOf(
          id,
          before.map(({ row }) => row.id),
        );
        throw new SandgateError('weather.unknown', { id, nearest });
      }),
    clear: (): Awaitable<readonly ShownFault[]> => change(() => []),
    /** Those that have met no call at this gateway since they were set. */
    unused: (): readonly string[] =>
      running.filter(({ run }) => !weather.wasUsed(run)).map(({ row }) => row.id),
  };
}
