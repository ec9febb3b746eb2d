/** Finds the members of an answer that rules and ledger need, in one walk. */
import { isAmount, isDateTimeWithOffset } from '../spec/index.js';
import type { Answer } from './message.js';
import type { Content } from './wire.js';

interface FoundMember {
  readonly value: unknown;
  readonly path: readonly PropertyKey[];
}

export interface FoundLink {
  readonly name: string;
  readonly href: string;
  readonly path: readonly PropertyKey[];
}

interface AnswerMembers {
  /** Whether there is any; those that have not the standard's form, ten at most. */
  hasAmounts: boolean;
  readonly wrongAmounts: FoundMember[];
  hasDateTimes: boolean;
  readonly wrongDateTimes: FoundMember[];
  readonly links: FoundLink[];
}

const MOST_WRONG = 10;
const MOST_LINKS = 1_000;

/** The answer that was asked last: several rules ask in a row. */
let last: { readonly content: Content; readonly members: AnswerMembers } | null = null;
const nothing = (): AnswerMembers => ({
  hasAmounts: false,
  wrongAmounts: [],
  hasDateTimes: false,
  wrongDateTimes: [],
  links: [],
});
const NOTHING = nothing();

export function membersOf({ content }: Answer): AnswerMembers {
  if (content.kind !== 'json') return NOTHING;
  if (last?.content === content) return last.members;
  const members = collect(content.value);
  last = { content, members };
  return members;
}

function collect(root: unknown): AnswerMembers {
  const found = nothing();
  walkMembers(root, (name, value, owner, path) => {
    if (name === 'amount') takeAmount(found, value, owner, path);
    else if (typeof value !== 'string') return;
    else if (name === 'href') takeLink(found, value, path);
    else if (holdsDateTime(name)) takeDateTime(found, value, path);
  });
  return found;
}

function takeAmount(
  found: AnswerMembers,
  value: unknown,
  owner: Readonly<Record<string, unknown>>,
  path: readonly PropertyKey[],
): void {
  if (!('currency' in owner) || (typeof value !== 'string' && typeof value !== 'number')) return;
  found.hasAmounts = true;
  if (typeof value === 'string' && isAmount(value)) return;
  if (found.wrongAmounts.length < MOST_WRONG) found.wrongAmounts.push({ value, path: [...path] });
}

/** Members that hold a date and time go by such a name; a free text may begin like one. */
function holdsDateTime(name: string): boolean {
  return (
    name.endsWith('DateTime') ||
    name.endsWith('Timestamp') ||
    name.endsWith('ExecutionTime') ||
    name === 'timestamp'
  );
}

function takeDateTime(found: AnswerMembers, value: string, path: readonly PropertyKey[]): void {
  found.hasDateTimes = true;
  if (isDateTimeWithOffset(value) || found.wrongDateTimes.length >= MOST_WRONG) return;
  found.wrongDateTimes.push({ value, path: [...path] });
}

function takeLink(found: AnswerMembers, href: string, path: readonly PropertyKey[]): void {
  if (path.at(-3) !== '_links' || found.links.length >= MOST_LINKS) return;
  found.links.push({ name: String(path.at(-2)), href, path: [...path] });
}

const DEEPEST = 12;
const MOST_VALUES = 50_000;

/** `path` leads to the member and is only good during the visit; `owner` is the object it stands in. */
type MemberVisit = (
  name: string,
  value: unknown,
  owner: Readonly<Record<string, unknown>>,
  path: readonly PropertyKey[],
) => void;

/** Visits every member down to 12 levels and 50,000 values, then stops. */
export function walkMembers(root: unknown, visit: MemberVisit): void {
  const path: PropertyKey[] = [];
  let left = MOST_VALUES;
  const descend = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || path.length >= DEEPEST) return;
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length && left-- > 0; i++) {
        path.push(i);
        descend(value[i]);
        path.pop();
      }
      return;
    }
    const owner = value as Readonly<Record<string, unknown>>;
    for (const name of Object.keys(owner)) {
      if (left-- <= 0) return;
      path.push(name);
      visit(name, owner[name], owner, path);
      descend(owner[name]);
      path.pop();
    }
  };
  descend(root);
}
