/**
 * Who is who: each client of this run is bound to a recorded one. At first the recorded order binds. What a client sends
 * later decides: where its recorded one has no such call, it is bound to one that has, as long as all that it sent and was
 * answered is the same there.
 */
import type { AuthorizationRequests } from './authorization-requests.js';
import type { Bindings } from './bindings.js';
import type { Entry } from './entries.js';
import { nameOf } from './explain.js';
import { stateOf } from './journeys.js';
import type { Recording } from './open-recording.js';
import { rewind } from './pick.js';
import { addTo, type RecordedClient, type RecordedClients, readClients } from './recorded-clients.js';
import type { TemplateOf } from './template.js';

/** The client of one recorded client as that of another one. */
interface Rebinding {
  /** Entries that answered, each with the entry that now stands in its place. */
  readonly moves: readonly (readonly [used: Entry, instead: Entry])[];
  readonly values: ReadonlyMap<string, string>;
}

/** Recorded clients of which all that was sent is equal, up to an item that answered them differently. */
interface Undecided {
  readonly equal: readonly RecordedClient[];
  readonly parting: Entry;
}

type Fits = (from: RecordedClient, to: RecordedClient) => boolean;

const MOST_COMPARED = 5_000;
/** Equal recorded clients that are looked at for what tells them apart. */
const MOST_ALIKE = 1_000;
const MOST_NAMED = 10;
/** An identifier of the bank that no client sent back. */
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

export function createClients(
  recording: Recording,
  bindings: Bindings,
  authorizationRequests: AuthorizationRequests,
  templateOf: TemplateOf,
) {
  let read: RecordedClients | null = null;
  const recorded = (): RecordedClients => {
    read ??= readClients(recording, templateOf);
    return read;
  };

  /** Each of these is given to the client of the one before it, the first to that of the last. Gives the way back. */
  const rebind = (circle: readonly RecordedClient[]) => {
    const all = circle.map((from, i) =>
      rebinding(from, circle[(i + 1) % circle.length] as RecordedClient, recorded()),
    );
    const moves = all.flatMap((one) => one?.moves ?? []);
    const values = closed(all.flatMap((one) => [...(one?.values ?? [])]));
    const before = new Map(circle.flatMap(({ items }) => items.map((item) => [item, item.uses] as const)));
    const after = new Map([...before.keys()].map((item) => [item, 0]));
    for (const [used, instead] of moves) after.set(instead, (after.get(instead) ?? 0) + used.uses);
    const set = (uses: ReadonlyMap<Entry, number>, names: ReadonlyMap<string, string>) => {
      for (const [item, count] of uses) item.uses = count;
      for (const one of circle) settle(one);
      bindings.rename(names);
    };
    set(after, values);
    return { moves, undo: () => set(before, new Map(Array.from(values, ([a, b]) => [b, a]))) };
  };

  return {
    /**
     * Binds the client that these recorded values name to one after the other of those that hold one of the items, until
     * `find` gives something. null: it never does, and everything is as it was.
     */
    until: <T>(values: readonly string[], items: Iterable<Entry>, find: () => T | null): T | null => {
      const { clientOf, named } = recorded();
      const left = named(values);
      if (left === undefined || left.alike.length < 2) return null;
      let compared = 0;
      const fits: Fits = (from, to) =>
        ++compared <= MOST_COMPARED && rebinding(from, to, recorded()) !== null;
      const tried = new Set([left]);
      /** From these no way leads back. */
      const dead = new Set<RecordedClient>();
      for (const item of items) {
        const wanted = clientOf(item);
        if (wanted === undefined || tried.has(wanted) || dead.has(wanted)) continue;
        tried.add(wanted);
        const isOpen = wanted.alike === left.alike && fits(left, wanted);
        const way = isOpen ? wayBack(wanted, left, dead, fits) : null;
        if (way === null) continue;
        const { undo, moves } = rebind([left, ...way]);
        const found = find();
        if (found === null) undo();
        else {
          authorizationRequests.moved(moves);
          return found;
        }
      }
      return null;
    },
    /** A sentence for each group of clients that nothing but their answers told apart. */
    undecided: (): string[] => [...recorded().beginnings.values()].flatMap(undecidedAmong).map(sentenceOf),
    /** The same of the client that these recorded values name; null where it is none of them. */
    whyUndecided: (values: readonly string[]): string | null => {
      const client = recorded().named(values);
      if (client === undefined) return null;
      const group = undecidedAmong(client.alike).find(({ equal }) => equal.includes(client));
      return group === undefined ? null : sentenceOf(group);
    },
  };

  function undecidedAmong(alike: readonly RecordedClient[]): Undecided[] {
    const { formOf, sentBy } = recorded();
    const sentOf = (item: Entry | undefined): string => {
      if (item === undefined) return '';
      // Values that this run has renamed tell no clients apart.
      const own = item.fields.filter(({ as, value }) => as === 'free' && bindings.runOf(value) === undefined);
      const signs = own.map(({ place, value }) => `${place} ${value}`);
      return [sentBy(item), item.exchange.call.tpp, ...signs].join('\n');
    };
    const undecided: Undecided[] = [];
    const left = [{ equal: alike.slice(0, MOST_ALIKE), at: 0 }];
    for (const { equal, at } of left) {
      const groups = new Map<string, RecordedClient[]>();
      for (const one of equal) addTo(groups, sentOf(one.items[at]), one);
      for (const group of groups.values()) {
        const items = group.flatMap((one) => one.items[at] ?? []);
        if (items.length < 2) continue;
        const answers = new Set(items.map((item) => formOf(item).answered.replace(UUID, '*')));
        if (answers.size === 1) left.push({ equal: group, at: at + 1 });
        else if (items.some(({ uses }) => uses > 0))
          undecided.push({ equal: group, parting: items[0] as Entry });
      }
    }
    return undecided;
  }
}

/** null: the client of the one sent or was answered what the other one does not have. */
function rebinding(
  from: RecordedClient,
  to: RecordedClient,
  { formOf }: Pick<RecordedClients, 'formOf'>,
): Rebinding | null {
  for (const [sent, items] of from.bySent)
    if (!to.bySent.has(sent) && items.some(({ uses }) => uses > 0)) return null;
  const moves: (readonly [Entry, Entry])[] = [];
  const taken = new Set<Entry>();
  const values = new Map<string, string>();
  const back = new Map<string, string>();
  const pairs = (used: Entry, instead: Entry) => {
    const { own } = formOf(instead);
    return [...formOf(used).own].flatMap(([where, value]) => {
      const other = own.get(where);
      return other === undefined ? [] : [[value, other] as const];
    });
  };
  const agree = (used: Entry, instead: Entry): boolean =>
    pairs(used, instead).every(([a, b]) => (values.get(a) ?? b) === b && (back.get(b) ?? a) === a);
  for (const [sent, items] of from.bySent) {
    const theirs = to.bySent.get(sent) ?? [];
    for (const [i, used] of items.entries()) {
      if (used.uses === 0) continue;
      const isFree = (one: Entry | undefined) => one !== undefined && !taken.has(one) && agree(used, one);
      const [inOrder, last] = [theirs[i], theirs.at(-1)];
      const instead = isFree(inOrder) ? inOrder : (theirs.find(isFree) ?? last);
      if (instead === undefined || (taken.has(instead) && !staysTrue(instead)) || !agree(used, instead))
        return null;
      if (formOf(used).answered !== formOf(instead).answered) return null;
      moves.push([used, instead]);
      taken.add(instead);
      for (const [a, b] of pairs(used, instead)) {
        values.set(a, b);
        back.set(b, a);
      }
    }
  }
  return { moves, values };
}

/** The shortest way on which clients hand on what they are bound to, from the one that is wanted to the one that is left. */
function wayBack(
  wanted: RecordedClient,
  left: RecordedClient,
  dead: Set<RecordedClient>,
  fits: Fits,
): readonly RecordedClient[] | null {
  if (fits(wanted, left)) return [wanted];
  const ways = new Map([[wanted, [wanted]]]);
  for (const [last, way] of ways) {
    for (const next of left.alike) {
      if (ways.has(next) || dead.has(next) || next === left || !fits(last, next)) continue;
      const longer = [...way, next];
      if (fits(next, left)) return longer;
      ways.set(next, longer);
    }
  }
  for (const one of ways.keys()) dead.add(one);
  return null;
}

/** Closes chains of renamed values: the last value takes the place that the first one left. */
function closed(pairs: readonly (readonly [string, string])[]): Map<string, string> {
  const values = new Map(pairs);
  const reached = new Set(values.values());
  for (const [first] of pairs) {
    if (reached.has(first)) continue;
    let last = first;
    for (let next = values.get(last); next !== undefined; next = values.get(last)) last = next;
    values.set(last, first);
  }
  return values;
}

/** After items of a client were used otherwise: where this run is in its journey, and what it gives next. */
function settle({ items, journey }: RecordedClient): void {
  const parts = items.flatMap((item) =>
    item.uses === 0 ? [] : [item.opens, item.reads].flatMap((reached) => reached?.part ?? []),
  );
  if (journey !== null) journey.current = parts.length === 0 ? null : Math.max(...parts);
  for (const { queue } of items) if (queue !== null) rewind(queue);
}

/** A read before a change that is still to come stays true, however often it is repeated. */
function staysTrue({ reads }: Entry): boolean {
  if (reads === null) return false;
  const { journey, part } = reads;
  return stateOf(journey, part) < stateOf(journey, journey.writes.length);
}

function sentenceOf({ equal, parting }: Undecided): string {
  const first = equal.flatMap(({ items }) => items[0] ?? []);
  const ids = first.slice(0, MOST_NAMED).map(({ exchange }) => exchange.call.id);
  const named = ids.join(', ') + (equal.length > MOST_NAMED ? ', …' : '');
  return `These ${equal.length} recordings of ${nameOf((first[0] as Entry).exchange)} (${named}) differ in nothing that a client sends before ${nameOf(parting.exchange)} is answered differently; the recorded order decided.`;
}
