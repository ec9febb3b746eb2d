/** Opens a session of the store as the source of a report, and draws a report out of its source. */
import type { Hindsight } from '../../bank/index.js';
import {
  bankOrigin,
  bankOriginsIn,
  createFingerprint,
  gatewayNotes,
  recognisedBy,
  through,
} from '../../exchange/index.js';
import {
  type Judging,
  openReport,
  type Recipe,
  type Report,
  type ReportOptions,
  type ReportSource,
  recipeOf,
} from '../../report/index.js';
import { dialectOf, isSameProfile } from '../../spec/index.js';
import {
  type ChainBreak,
  erasedText,
  type RecordedExchange,
  type Rows,
  removedOf,
  type SessionInfo,
  type Store,
  withSteps,
  withUnfinished,
} from '../../store/index.js';
import { type JudgedBy, judgeRecording } from '../check/judge-recording.js';
import type { LoadedConfig } from '../config/load.js';
import { recordedAt } from '../sessions/session-notes.js';
import { askedBank, bankAdvice } from './asked-bank.js';
import { judgeBy, judgingOf, ownRulesOf } from './judging.js';
import { earlierSessions, knownBefore } from './ledger.js';
import { type ChosenSettings, chooseSettings, isWithin, type Periods, periodsOf } from './periods.js';
import { areSame, listUnreadable, ownRulesRemarks, sessionRemarks } from './remarks.js';
import { type ReaderTrust, type SeenSession, seeSession } from './witness.js';

export interface OpenedSource {
  readonly source: ReportSource;
  /** In the order of recording, judged and redacted; drawn once. */
  readonly records: Rows<RecordedExchange>;
  /** Goes along the chain of a session, which costs as much as reading it. */
  readonly breaks: () => AsyncIterable<ChainBreak> | readonly ChainBreak[];
  readonly expected: number;
  /** For the person who asked for it; no part of the report. */
  readonly advice: readonly string[];
  /** How it would be judged where nobody asked for anything else. */
  readonly usual: () => Promise<UsualRecipe>;
}

export type UsualRecipe = Pick<Recipe, 'rejudged' | 'judging' | 'judgings' | 'host' | 'earlier'>;

export interface SourceParts {
  readonly loaded: LoadedConfig;
  readonly today: string;
  /** Judges as a report says that it was judged, instead of as configured now. */
  readonly recipe?: Recipe;
  /** Judges by the bank profile of the settings even what was recorded under another one. */
  readonly rejudge?: boolean | undefined;
  /** Only so many exchanges from its beginning, for a session that goes on. */
  readonly limit?: number;
  /** Without it the session is told as one that nobody witnessed. */
  readonly trust?: ReaderTrust;
}

/** Origins are looked for in so many exchanges: those of a session hardly change. */
const LOOKED_AT = 1_000;

/** The session as it is now: what is recorded meanwhile does not come in. */
export async function openSessionSource(
  store: Store,
  session: SessionInfo,
  parts: SourceParts,
): Promise<OpenedSource> {
  const { name, notes, head } = session;
  const unreadable = listUnreadable();
  const seen = parts.trust === undefined ? null : await seeSession(store, session, parts.trust);
  // By the chain: what ends meanwhile had no end then.
  const ids =
    parts.recipe === undefined
      ? seen?.breaks.length === 0 && [...seen.unfinished]
      : (parts.recipe.unfinished ?? []);
  const begun = await store.calls.unfinished(name, { ...(ids ? { ids } : {}), onUnreadable: unreadable.add });
  const ended = Math.min(session.exchanges, parts.limit ?? session.exchanges);
  const fingerprint = createFingerprint(store.fingerprintKey);
  const periods = await periodsOf(store, session, seen);
  const asked = parts.recipe === undefined ? askedBank(parts.loaded, parts.rejudge) : null;
  const { settings, differs } = chooseSettings(parts.loaded, periods.settings, asked?.prevails);
  const rejudged = parts.recipe?.rejudged ?? differs;
  const { recipe } = parts;
  const judgings =
    recipe === undefined
      ? await judgingsOf(store, session, periods, settings, rejudged)
      : (recipe.judgings ?? [recipe.judging]);
  const { bankProfile, segment } = judgings.at(-1) ?? {};
  const dialect = dialectOf(bankProfile, segment);
  const before = await knownBefore(store, session, fingerprint, parts.recipe?.earlier, dialect);
  const { known } = before;
  const isThen = isWithin(session);
  const erased = erasedText((await store.chains.notes(name, 'erased')).filter(isThen));
  const { loadedRules } = parts.loaded.config;
  const read = through(
    store.read(name, { limit: ended, onUnreadable: unreadable.add }),
    withUnfinished(begun),
  );
  const stored = through(read, withSteps(before.steps));
  // Of waivers only those of now are the user's to mend.
  const today = isSet(parts.loaded, 'waivers') && parts.recipe === undefined ? parts.today : '';
  const inDialect = recogniserOf(periods, judgings);
  const judgedAnew = () => {
    const all = judgings.map((one) => ({
      judge: judgeBy(one, fingerprint, today, {}, loadedRules),
      overrides: one.overrides,
      own: ownRulesOf([one], loadedRules),
    }));
    const last = all.at(-1) as JudgedBy;
    const inForce = (exchange: string): JudgedBy => all[periods.of(exchange)] ?? last;
    const judge = judgeRecording({ ...last, fingerprint, known, inForce });
    return { ...judge, take: (record: RecordedExchange) => judge.take(inDialect(record)) };
  };
  return {
    records: rejudged ? through(stored, judgedAnew()) : stored,
    breaks: () => seen?.breaks ?? store.chains.verifyInTurns(name),
    expected: ended + begun.length,
    advice: bankAdvice(
      periods.settings.map(({ bankProfile }) => bankProfile),
      asked,
    ),
    usual: () => usualRecipe(store, session, periods, parts),
    source: {
      kind: 'store',
      name,
      session: name,
      notes,
      inForce: periods.settings,
      clockNotes: notes,
      skipped: {},
      ledgerAfter: rejudged ? () => known.ledger : learning(known),
      judgings,
      ownRules: ownRulesOf(judgings, loadedRules),
      rejudged,
      host: null,
      earlier: { sessions: before.sessions, leftAside: before.leftAside },
      evidence: {
        kind: 'chain',
        head: head === '' ? null : head,
        links: session.exchanges + begun.length,
        entries: session.entries,
        end: session.end,
        ...(await originOf(store, session, seen)),
        // Of one chain alone, these say all.
        chains: session.chains.length < 2 ? [] : session.chains.map((chain) => ({ ...chain })),
        witness: seen?.witness ?? null,
      },
      unfinished: begun.map(({ exchange }) => exchange.call.id),
      remarks: unreadable.behind([
        ...sessionRemarks(notes, judgings, periods.settings, rejudged, before, begun.length, erased),
        ...ownRulesRemarks(judgings, loadedRules, rejudged),
      ]),
    },
  };
}

/** A note is enough: where only the record of the beginning says otherwise, somebody has changed one of them. */
async function originOf(store: Store, { name, notes }: SessionInfo, seen: SeenSession | null) {
  const chains = await store.chains.of(name);
  const removed = removedOf(chains);
  const isFile = chains.some(({ origin }) => origin === 'file');
  // Not where a gateway signed the beginning: anybody can note an import afterwards.
  const isSigned = chains.every((chain) => seen?.covers?.({ store: chain.store, seq: 1 }) === true);
  return {
    isImported: isFile || (!isSigned && notes.some(({ kind }) => kind === 'imported')),
    removed:
      removed !== null && seen?.isRemovalDoubtful ? { ...removed, unwitnessed: true as const } : removed,
  };
}

/** By the settings in force, where any are noted: whoever holds the store can note another import afterwards. */
const isForeign = (session: SessionInfo, { settings }: Periods): boolean =>
  settings.length === 0
    ? recordedAt(session).recordedBy !== undefined
    : settings.some(({ recordedBy }) => recordedBy !== undefined);

async function usualRecipe(
  store: Store,
  session: SessionInfo,
  periods: Periods,
  { loaded, recipe }: SourceParts,
): Promise<UsualRecipe> {
  const { settings, differs: rejudged } = chooseSettings({ ...loaded, effective: [] }, periods.settings);
  const { sessions, leftAside } = await earlierSessions(store, session);
  const judgings = await judgingsOf(store, session, periods, settings, recipe?.rejudged ?? rejudged);
  return {
    rejudged,
    ...recipeOf(judgings),
    host: null,
    earlier: { sessions: sessions.map(({ name }) => name), leftAside },
  };
}

/**
 * One for each of the settings that were in force, or one for all where all are the same. Addresses are those of the time,
 * and matter only where it is judged again; where none are noted, those that were called.
 */
async function judgingsOf(
  store: Store,
  session: SessionInfo,
  periods: Periods,
  settings: ChosenSettings['settings'],
  rejudged: boolean,
): Promise<readonly Judging[]> {
  const foreign = isForeign(session, periods);
  const noted = settings.map((_, i) => bankOriginsIn(rejudged ? (periods.settings[i] ?? {}) : {}));
  const isMissing = rejudged && noted.some(({ length }) => length === 0);
  const called = isMissing ? await originsOf(store, session) : [];
  const all = settings.map((one, i) => {
    const known = noted[i] ?? [];
    return judgingOf(one, { origins: known.length === 0 ? called : known, foreign });
  });
  return areSame(all) ? all.slice(-1) : all;
}

/** Calls as the interface has them that they are judged by, where they were recorded under another bank profile. */
function recogniserOf({ settings, of }: Periods, judgings: readonly Judging[]) {
  const again = settings.map(({ bankProfile: recorded }, i) => {
    const { bankProfile, segment } = judgings[i] ?? (judgings.at(-1) as Judging);
    return isSameProfile(recorded, bankProfile) ? null : dialectOf(bankProfile, segment).recognise;
  });
  return (record: RecordedExchange): RecordedExchange => {
    const recognise = again[of(record.exchange.call.id)] ?? null;
    return recognise === null ? record : { ...record, exchange: recognisedBy(record.exchange, recognise) };
  };
}

/** Exchanges that are not judged again teach the ledger all the same. */
const learning =
  (known: Hindsight): ReportSource['ledgerAfter'] =>
  ({ exchange, steps = [] }) => {
    for (const step of steps) known.befall(step);
    known.learn(exchange);
    return known.ledger;
  };

function isSet({ effective }: LoadedConfig, key: string): boolean {
  return effective.some(({ option, from }) => option.key === key && from !== 'default');
}

/** Where the gateway was reached, and what an import notes of the bank: links name these. */
async function originsOf(store: Store, { name, notes }: SessionInfo): Promise<Set<string>> {
  const origins = new Set(gatewayNotes(notes).flatMap(({ settings }) => bankOriginsIn(settings)));
  for await (const { exchange } of store.read(name, { limit: LOOKED_AT, onUnreadable: () => {} })) {
    const origin = bankOrigin(exchange.call);
    if (origin !== undefined) origins.add(origin);
  }
  return origins;
}

/** `pause` is told how many exchanges were taken, and may give others a turn. */
export async function drawReport(
  { source, records, breaks }: OpenedSource,
  options: ReportOptions,
  pause: (taken: number) => Promise<void> | undefined = () => undefined,
): Promise<Report> {
  const builder = openReport(source, options);
  let taken = 0;
  for await (const record of records) {
    builder.take(record);
    const paused = pause(++taken);
    if (paused !== undefined) await paused;
  }
  for await (const one of breaks()) builder.takeBreak(one);
  return builder.close();
}
