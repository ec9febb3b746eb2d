/** Finds what a store holds of a person, and erases it. */
import { setTimeout as pause } from 'node:timers/promises';
import { createWitness, type Sign } from '../../evidence/index.js';
import {
  createFingerprint,
  createPseudonyms,
  memberOf,
  namedResource,
  resourceOfScope,
} from '../../exchange/index.js';
import { isFixedIdentifier } from '../../spec/index.js';
import type { ErasePlan, RecordedExchange, Store } from '../../store/index.js';
import { ibanMatcher, type Matches, textOf, valueMatcher } from './matching.js';

export const ERASED_BY = ['psu', 'iban', 'consent', 'payment'] as const;

export interface Sought {
  readonly by: (typeof ERASED_BY)[number];
  readonly value: string;
  /** Only in this session; facts belong to all sessions, and stay. */
  readonly session?: string | undefined;
}

export interface FoundInSession {
  readonly session: string;
  readonly exchanges: number;
  readonly notes: number;
}

export interface FoundOfPerson {
  readonly sessions: readonly FoundInSession[];
  readonly facts: number;
  /** Exchanges whose content cannot be read, and could not be searched. */
  readonly unread: number;
  readonly plan: ErasePlan;
}

/** Is told how many exchanges were looked at. */
type OnStep = (looked: number) => Promise<void> | undefined;

/**
 * Finds what names the value, and where that is a person's, all of the consents and payments that do: of these, it is often
 * only in the creation. A literal id of the sandbox is that of everybody, and leads to nothing else.
 */
export async function findOfPerson(store: Store, sought: Sought, onStep: OnStep): Promise<FoundOfPerson> {
  const matches = matcherOf(store, sought);
  const ids = new Set<string>();
  const addId = (id: string | undefined): void => {
    if (id !== undefined && !isFixedIdentifier(id)) ids.add(id);
  };
  let looked = 0;
  // A call that names a consent may be of another one too, which is somebody else’s.
  if (sought.by === 'psu' || sought.by === 'iban') {
    for await (const record of recordsOf(store, sought)) {
      const paused = onStep(++looked);
      if (paused !== undefined) await paused;
      if (matches(textOf(record))) addId(namedResource(record.exchange)?.id);
    }
    await store.erasures.facts((text) => {
      if (matches(text)) addId(resourceInFact(text));
      return false;
    }, true);
  }
  const ofPerson = valueMatcher(ids);
  const ofText: Matches = (text) => matches(text) || ofPerson(text);
  const plan: ErasePlan = { ofText, ofRecord: (record) => ofText(textOf(record)) };
  const sessions: FoundInSession[] = [];
  let unread = 0;
  for (const { name, notes } of await sessionsOf(store, sought)) {
    let exchanges = 0;
    for await (const record of recordsOf(store, { ...sought, session: name })) {
      const paused = onStep(++looked);
      if (paused !== undefined) await paused;
      if (record.exchange.withheld === 'enciphered') unread += 1;
      if (record.exchange.withheld === undefined && plan.ofRecord(record)) exchanges += 1;
    }
    const found = notes.filter(({ settings }) => ofText(JSON.stringify(settings))).length;
    if (exchanges + found > 0) sessions.push({ session: name, exchanges, notes: found });
  }
  const facts = sought.session === undefined ? await store.erasures.facts(ofText, true) : 0;
  return { sessions, facts, unread, plan };
}

function matcherOf({ fingerprintKey }: Store, { by, value }: Sought): Matches {
  const { iban, number, name } = createPseudonyms(fingerprintKey);
  if (by === 'iban') return ibanMatcher([value, iban(value)]);
  const others = by === 'psu' ? [number(value), name(value), createFingerprint(fingerprintKey)(value)] : [];
  return valueMatcher([value, ...others]);
}

const sessionsOf = async (store: Store, { session }: Pick<Sought, 'session'>) =>
  (await store.sessions()).filter(({ name }) => session === undefined || name === session);

async function* recordsOf(store: Store, sought: Pick<Sought, 'session'>): AsyncGenerator<RecordedExchange> {
  for (const { name } of await sessionsOf(store, sought)) {
    yield* store.read(name, { onUnreadable: () => {} });
    yield* await store.calls.unfinished(name, { onUnreadable: () => {} });
  }
}

const RESOURCES: ReadonlySet<string> = new Set(['consents', 'payments', 'bankConsents', 'bankPayments']);

function resourceInFact(text: string): string | undefined {
  const [family = '', , ...rest] = text.split('\n');
  if (rest.join('\n') === '') return undefined;
  const fact: unknown = JSON.parse(rest.join('\n'));
  if (RESOURCES.has(family)) return String(memberOf(fact, 'id'));
  const resource = memberOf(fact, 'resource');
  return typeof resource === 'string' ? resource : resourceOfScope(memberOf(fact, 'scope'))?.id;
}

const MOST_ROUNDS = 8;
const PAUSE_MS = 50;
/** A gateway looks every half a second. */
const PATIENCE_MS = 10_000;

export interface ErasedOfPerson {
  readonly exchanges: number;
  readonly notes: number;
  readonly facts: number;
  /** Why something of it may be left in the store's files; null where nothing is. */
  readonly left: 'busy' | 'served' | 'server' | 'unheard' | null;
}

/**
 * In rounds, until one finds nothing: a gateway may be recording. `onStep` is told how many exchanges were erased. With `sign`
 * the notes on it are signed, as a gateway signs what it records.
 */
export async function eraseOfPerson(
  store: Store,
  sought: Sought,
  { plan }: FoundOfPerson,
  { at, sign, onStep }: { readonly at: number; readonly sign: Sign | null; readonly onStep: OnStep },
): Promise<ErasedOfPerson> {
  const erased = { exchanges: 0, notes: 0, facts: 0 };
  let isHeard = true;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    let found = 0;
    for (const { name } of await sessionsOf(store, sought))
      for await (const { exchanges, notes } of store.erasures.contents(name, plan, at)) {
        erased.exchanges += exchanges;
        erased.notes += notes;
        found += 1;
        const paused = onStep(erased.exchanges);
        if (paused !== undefined) await paused;
      }
    const isOf = sought.session === undefined ? plan.ofText : () => false;
    const facts = round === 0 ? 1 : await store.erasures.facts(isOf, true);
    // Gateways have to forget texts that are gone, too.
    if (found + facts > 0) erased.facts += await store.erasures.facts(isOf);
    else break;
    isHeard = await until(() => store.erasures.isHeard());
  }
  if (sign !== null) await signNotes(store, sign, at);
  let left = await store.erasures.clean();
  await until(async () => {
    if (left === 'busy') left = await store.erasures.clean();
    return left !== 'busy';
  });
  return { ...erased, left: isHeard ? left : 'unheard' };
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let waited = 0; waited < PATIENCE_MS; waited += PAUSE_MS) {
    if (await isSo()) return true;
    await pause(PAUSE_MS);
  }
  return false;
}

async function signNotes(store: Store, sign: Sign, at: number): Promise<void> {
  const problems: unknown[] = [];
  const witness = createWitness({
    store,
    sign,
    clock: () => at,
    timer: { after: () => () => {} },
    onCheckpoint: () => {},
    onProblem: (error) => problems.push(error),
  });
  await witness.close();
  if (problems.length > 0) throw problems[0];
}
