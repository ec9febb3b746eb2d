/** A gateway that replays a cassette, and makes it where there is none. */
import { basename, extname, resolve } from 'node:path';
import { systemParts } from '../app/index.js';
import { SandgateError } from '../spec/index.js';
import type { RecordedExchange } from '../store/index.js';
import { cassetteExists, readCassetteFile, recordable, writeCassette } from './cassette-file.js';
import { extendRecording } from './extend-recording.js';
import type { GatewayOptions } from './gateway-options.js';
import { isCi, planRecording, type RecordMode, type RecordPlan } from './record-mode.js';
import { type Gateway, type OpenedGateway, openGateway } from './start-gateway.js';

export interface ReplayOptions extends Omit<GatewayOptions, 'source' | 'replay'> {
  /** `once` by default. On CI nothing is ever recorded. */
  readonly mode?: RecordMode;
  /** Who answers what is recorded: the bank where `upstream` is given, else the emulator. */
  readonly recordFrom?: 'upstream' | 'emulator';
}

/** Two gateways that record one file would each write half of it. */
const recording = new Set<string>();

/**
 * Starts a gateway that answers from a cassette (or a HAR), or that records one: it is written at `close()`, unless
 * nothing was called.
 * @throws SandgateError where the mode cannot be followed, or the file cannot be read
 */
export async function replaySession(file: string, options: ReplayOptions = {}): Promise<Gateway> {
  const {
    mode = 'once',
    recordFrom = options.upstream === undefined ? 'emulator' : 'upstream',
    ...rest
  } = options;
  const plan = planRecording(mode, { file, exists: cassetteExists(file), ci: isCi(process.env) });
  if (plan === 'replay') {
    const { upstream: _upstream, ...replayed } = rest;
    return (await openGateway({ ...replayed, source: 'replay', replay: file }, null)).gateway;
  }
  const path = resolve(file);
  if (recording.has(path))
    throw new SandgateError(
      'usage',
      `${file} is being recorded by another gateway: give each test its own cassette.`,
    );
  recording.add(path);
  try {
    const source = plan === 'extend' ? `replay,${recordFrom}` : recordFrom;
    const replay = plan === 'extend' ? { replay: file } : {};
    const opened = await openGateway({ ...rest, ...replay, source }, file);
    const refusals = options.stance !== 'enforce';
    return whichRecords(opened, { file, plan, refusals }, () => recording.delete(path));
  } catch (error) {
    recording.delete(path);
    throw error;
  }
}

interface Task {
  readonly file: string;
  readonly plan: Exclude<RecordPlan, 'replay'>;
  /** See `recordable`. */
  readonly refusals: boolean;
}

function whichRecords(opened: OpenedGateway, task: Task, onEnd: () => void): Gateway {
  let closed: Promise<void> | undefined;
  const close = async () => {
    try {
      await opened.gateway.settled();
      const records = [...opened.read()];
      await opened.gateway.close();
      await keep(records, opened, task);
    } finally {
      onEnd();
    }
  };
  return {
    ...opened.gateway,
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

async function keep(
  run: readonly RecordedExchange[],
  { app, config, gateway }: OpenedGateway,
  { file, plan, refusals }: Task,
): Promise<void> {
  const added = recordable(run, refusals);
  if (added.length === 0) return;
  const { urls } = app;
  const session = basename(file, extname(file));
  const meta = { session, segment: config.segment, origins: { api: urls.api, psu: urls.psu } };
  const { uuid } = systemParts('silent', () => undefined).chance;
  if (plan === 'record') return writeCassette(file, added, meta, uuid());
  const { records: recorded, format } = readCassetteFile(file);
  if (format !== 'cassette')
    throw new SandgateError('input', `${file} is a HAR: only cassettes are added to.`);
  const days = gateway.session().replay?.daysShifted ?? 0;
  return writeCassette(file, extendRecording({ recorded, run, added, days, meta }), meta, uuid());
}
