/** Notices that a bank's answers change their shape: members that are new or gone, and other types. No value is looked at. */
import { type Exchange, isObject } from '../exchange/index.js';

export interface Drifted {
  readonly operation: string;
  readonly status: number;
  readonly what: 'added' | 'gone' | 'type';
  readonly place: string;
  readonly exchange: string;
}

/** Answers to one operation by which its shape is learnt: optional members are in some of them only. */
const LEARNT = 100;
/** More are not looked at in one turn, so that calls need not wait for it. */
const A_TURN = 20;
const MOST_PLACES = 1_000;
const MOST_ENTRIES = 20;
const DEEPEST = 12;

interface Learnt {
  answers: number;
  /** Types by place, and in how many answers it was among those of its object. */
  readonly places: Map<string, { readonly types: Set<string>; seen: number }>;
}

/** Each difference is told once. */
export function createDrift(onDrift: (drifted: Drifted) => void) {
  const known = new Map<string, Learnt>();
  let looked = 0;

  function learn(learnt: Learnt, places: ReadonlyMap<string, string>): void {
    learnt.answers += 1;
    for (const [place, type] of places) {
      const one = learnt.places.get(place);
      if (one !== undefined) {
        one.types.add(type);
        one.seen += 1;
      } else if (learnt.places.size < MOST_PLACES)
        learnt.places.set(place, { types: new Set([type]), seen: 1 });
    }
  }

  function compare(
    learnt: Learnt,
    places: ReadonlyMap<string, string>,
    tell: (what: Drifted['what'], place: string) => void,
  ): void {
    for (const [place, type] of places) {
      const one = learnt.places.get(place);
      if (one === undefined) {
        if (learnt.places.size >= MOST_PLACES) continue;
        learnt.places.set(place, { types: new Set([type]), seen: 0 });
        tell('added', place);
      } else if (!one.types.has(type)) {
        one.types.add(type);
        tell('type', place);
      }
    }
    for (const [place, one] of learnt.places) {
      if (one.seen < learnt.answers || places.has(place) || place.includes('[]')) continue;
      one.seen = 0;
      tell('gone', place);
    }
  }

  function look({ call, answer }: Exchange, isPast: boolean): void {
    const { operation } = call;
    if (operation === null || answer?.source !== 'upstream') return;
    if (answer.status >= 300 || answer.content.kind !== 'json') return;
    looked += 1;
    const key = `${operation} ${answer.status}`;
    const learnt = known.get(key) ?? { answers: 0, places: new Map() };
    const isLearning = learnt.answers < LEARNT;
    if (isPast && !isLearning) return;
    known.set(key, learnt);
    const places = new Map<string, string>();
    walk(answer.content.value, '', places, 0);
    if (isLearning) learn(learnt, places);
    else
      compare(learnt, places, (what, place) =>
        onDrift({ operation, status: answer.status, what, place, exchange: call.id }),
      );
  }

  return {
    /** One of an earlier run: its shape is learnt. */
    learn: (exchange: Exchange): void => look(exchange, true),
    take: (exchange: Exchange): void => {
      if (looked < A_TURN) look(exchange, false);
    },
    /** The next look at answers is one of another turn. */
    turn: (): void => {
      looked = 0;
    },
  };
}

/** A name that a programmer gave. Any other may be an id, a date, or tell of a person. */
const NAME = /^[A-Za-z_$][\w$-]{0,40}$/;
const nameOf = (member: string): string => (NAME.test(member) && !/\d.*\d/.test(member) ? member : '*');

function walk(value: unknown, place: string, into: Map<string, string>, depth: number): void {
  if (depth > DEEPEST || into.size >= MOST_PLACES) return;
  const type = Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value;
  into.set(place, type);
  if (Array.isArray(value))
    for (const entry of value.slice(0, MOST_ENTRIES)) walk(entry, `${place}[]`, into, depth + 1);
  else if (isObject(value))
    for (const member of Object.keys(value)) {
      const name = nameOf(member);
      walk(value[member], place === '' ? name : `${place}.${name}`, into, depth + 1);
    }
}
