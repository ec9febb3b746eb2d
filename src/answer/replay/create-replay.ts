/** The replay source: answers from a recording and calls nobody. */
import type { Call, Exchange, Fingerprint, Pseudonyms } from '../../exchange/index.js';
import { dayOf } from '../../spec/index.js';
import type { Answerer } from '../answerer.js';
import { type AnswerParts, createAnswerCall } from './answer-call.js';
import { createAuthorizationRequests } from './authorization-requests.js';
import { createBindings } from './bindings.js';
import { createClients } from './clients.js';
import type { Entry } from './entries.js';
import { createExplainer } from './explain.js';
import { createFinder } from './find.js';
import { createDelay, type Timer } from './latency.js';
import { createLearner } from './learn.js';
import { createLinkRewriter, recordedOrigins } from './links.js';
import { createMatchPlans } from './match-plan.js';
import type { HowToRecord, Miss } from './miss.js';
import { openRecording } from './open-recording.js';
import type { ReplayOptions } from './options.js';
import { createPieceCutter } from './pieces.js';
import { buildReport, createMisses, type ReplayReport } from './report.js';
import { compileAnswer, type Template, type TemplateParts } from './template.js';

export interface ReplayParts {
  /** In the order of recording. */
  readonly records: Iterable<{ readonly exchange: Exchange }>;
  /** What the user called the recording. */
  readonly name: string;
  readonly options: ReplayOptions;
  /** Origins of the listeners, known once they listen. */
  readonly urls: () => { readonly api: string; readonly psu: string };
  /** Epoch ms; dates are shifted to its today. */
  readonly clock: () => number;
  readonly timer: Timer;
  /** The fixed path segment of this run. */
  readonly segment: string;
  /** That of the recording; the same where absent. */
  readonly recordedSegment?: string | undefined;
  /** That of the store, where the recording is one of its sessions: clear secrets then equal recorded ones. */
  readonly fingerprint?: Fingerprint | undefined;
  /** Those of the store at hand: they tell the clear values of a recording that was made with them. */
  readonly pseudonyms?: Pseudonyms | undefined;
  /** Another source follows in the chain: it is asked where the recording has nothing. */
  readonly hasNext?: boolean | ((call: Call) => boolean);
  /** By position, the line of the file that a record begins in; absent where the recording is no file of lines. */
  readonly lines?: readonly number[] | undefined;
  /** A sentence for a miss, with the command that records the call. */
  readonly howToRecord: HowToRecord;
  /** Told of each miss. */
  readonly onMiss?: (miss: Miss) => void;
}

export interface Replay extends Answerer {
  readonly name: 'replay';
  readonly report: () => ReplayReport;
  readonly close: () => Promise<void>;
}

export function createReplay(parts: ReplayParts): Replay {
  const { options } = parts;
  const exchanges = Array.from(parts.records, ({ exchange }) => exchange);
  const misses = createMisses();
  const answerCall = createAnswerCall(answerParts(parts, exchanges, misses.add));
  const delay = createDelay(parts.timer);
  const { startDay } = answerCall.recording;
  const keepsDates = options.dates === 'keep' || exchanges.length === 0;
  const daysAt = (now: number): number => (keepsDates ? 0 : dayOf(now) - startDay);

  return {
    name: 'replay',
    answer: (call, context) => {
      const { answered, took } = answerCall.answer(call, daysAt(context.now), context.findings ?? []);
      if (options.latency === 0) return answered;
      return delay.later(answered, took * options.latency, context.signal);
    },
    report: () =>
      buildReport(answerCall.recording, misses, {
        name: parts.name,
        daysShifted: daysAt(parts.clock()),
        undecided: answerCall.undecided(),
      }),
    close: async () => delay.close(),
  };
}

function answerParts(
  parts: ReplayParts,
  exchanges: readonly Exchange[],
  addMiss: (miss: Miss) => void,
): AnswerParts {
  const { fingerprint, urls, segment, recordedSegment = segment } = parts;
  const plans = createMatchPlans(parts.options);
  const recording = openRecording(exchanges, plans);
  const bindings = createBindings({
    known: recording.known,
    handed: recording.handed,
    fingerprint,
    pseudonyms: parts.pseudonyms,
  });
  const links = createLinkRewriter({ segment, recordedSegment, origins: recordedOrigins(exchanges) });
  const templateOf = createTemplates({ cutter: createPieceCutter(recording.carried, links), bindings, urls });
  const authorizationRequests = createAuthorizationRequests(recording, bindings);
  return {
    plans,
    recording,
    authorizationRequests,
    templateOf,
    finder: createFinder(recording, bindings),
    clients: createClients(recording, bindings, authorizationRequests, templateOf),
    learner: createLearner(recording, bindings),
    explain: createExplainer(recording, {
      bindings,
      fingerprint,
      name: parts.name,
      howToRecord: parts.howToRecord,
      lines: parts.lines ?? [],
    }),
    outcome: { bindings, redirectUris: redirectUrisOf(exchanges) },
    hasNext: typeof parts.hasNext === 'function' ? parts.hasNext : () => parts.hasNext === true,
    onMiss: (miss) => {
      addMiss(miss);
      parts.onMiss?.(miss);
    },
  };
}

/** Compiled when an entry answers first. */
function createTemplates(parts: TemplateParts): (entry: Entry) => Template {
  const compiled = new WeakMap<Entry, Template>();
  return (entry) => {
    const known = compiled.get(entry);
    if (known !== undefined) return known;
    const made = compileAnswer(entry.answer, entry.exchange.call.header['x-request-id'], parts);
    compiled.set(entry, made);
    return made;
  };
}

/** All that recorded creations named. */
function redirectUrisOf(exchanges: readonly Exchange[]): readonly string[] {
  const uris = new Set<string>();
  for (const { call } of exchanges) {
    for (const name of ['tpp-redirect-uri', 'tpp-nok-redirect-uri']) {
      const uri = call.header[name];
      if (uri !== undefined) uris.add(uri);
    }
  }
  return [...uris];
}
