/** Compares the interface of a bank as two recordings show it. What only one of them shows is not compared, never “the same”. */
import { type OperationId, type OperationRow, operationRow } from '../../spec/index.js';
import {
  type Carried,
  CHANGE_CLASSES,
  type ChangeClass,
  type CompareShapes,
  compareShapes,
  type ShapeChange,
  type ShapeDoubt,
} from './compare-shapes.js';
import type { OperationSurface, StatusSurface, Surface } from './surface.js';

interface Where {
  readonly operation: OperationId;
  /** Parameters of the calls on which the answer depends: `withBalance=true`; empty: none. */
  readonly variant: string;
  /** null: of the operation as a whole. */
  readonly status: number | null;
}

export interface Change extends Where {
  readonly class: ChangeClass;
  readonly what: ShapeChange['what'] | 'status' | 'error-status' | 'pagination';
  /** `status`, `header location`, `body accounts[].iban` */
  readonly place: string;
  readonly was: Carried;
  readonly now: Carried;
}

export interface NotCompared extends Where {
  /** Empty: nothing of it was. */
  readonly place: string;
  readonly reason: string;
}

export interface SurfaceComparison {
  /** Breaking ones first, then by operation, status and place. */
  readonly changes: readonly Change[];
  readonly notCompared: readonly NotCompared[];
  /** Operations with a status that both recordings have. */
  readonly compared: number;
}

const ONLY_FIRST = 'only in the first recording';
const ONLY_SECOND = 'only in the second recording';
const MOST_TOLD = 5_000;

export function compareSurfaces(was: Surface, now: Surface): SurfaceComparison {
  const changes: Change[] = [];
  const notCompared: NotCompared[] = [];
  let compared = 0;
  for (const key of [...new Set([...was.operations.keys(), ...now.operations.keys()])].sort()) {
    const [before, after] = [was.operations.get(key), now.operations.get(key)];
    const either = before ?? after;
    if (before !== undefined && after !== undefined) {
      const excuse = excusesOf(was, now, before.operation);
      compared += compareOperation(before, after, { excuse, changes, notCompared });
    } else if (either !== undefined) {
      const { operation, variant } = either;
      const reason = before === undefined ? ONLY_SECOND : ONLY_FIRST;
      notCompared.push({ operation, variant, status: null, place: '', reason });
    }
  }
  const rank = ({ class: kind }: Change) => CHANGE_CLASSES.indexOf(kind);
  changes.sort((a, b) => rank(a) - rank(b));
  return {
    changes: changes.slice(0, MOST_TOLD),
    notCompared: notCompared.slice(0, MOST_TOLD),
    compared,
  };
}

interface Telling {
  readonly excuse: CompareShapes['excuse'];
  readonly changes: Change[];
  readonly notCompared: NotCompared[];
}

function compareOperation(was: OperationSurface, now: OperationSurface, telling: Telling): number {
  const { operation, variant } = was;
  const { changes, notCompared } = telling;
  const pairs = pairsOf(was, now);
  for (const [before, after] of pairs) {
    const [first, second] = [was.statuses.get(before), now.statuses.get(after)];
    if (first !== undefined && second !== undefined)
      compareStatus({ operation, variant, status: after }, first, second, telling);
  }
  const tell = (change: Pick<Change, 'class' | 'what' | 'place' | 'was' | 'now'>) =>
    changes.push({ operation, variant, status: null, ...change });
  compareSuccess(was, now, tell, (reason) =>
    notCompared.push({ operation, variant, status: null, place: 'status', reason }),
  );
  compareErrorStatuses(was, now, tell);
  comparePages(was, now, tell);
  for (const [statuses, others, reason] of [
    [was.statuses, new Set(pairs.map(([before]) => before)), ONLY_FIRST],
    [now.statuses, new Set(pairs.map(([, after]) => after)), ONLY_SECOND],
  ] as const)
    for (const status of [...statuses.keys()].sort())
      if (!others.has(status)) notCompared.push({ operation, variant, status, place: '', reason });
  return pairs.length;
}

type Tell = (change: Pick<Change, 'class' | 'what' | 'place' | 'was' | 'now'>) => void;

const isSuccess = (status: number): boolean => status < 400;
const successesOf = ({ statuses }: OperationSurface): number[] =>
  [...statuses.keys()].filter(isSuccess).sort();

/** The same statuses, and the one success of each side where they are others. */
function pairsOf(was: OperationSurface, now: OperationSurface): (readonly [number, number])[] {
  const same = [...was.statuses.keys()].filter((status) => now.statuses.has(status)).sort();
  const [before, after] = [successesOf(was), successesOf(now)];
  const isMoved = !same.some(isSuccess) && before.length === 1 && after.length === 1;
  return [
    ...same.map((status) => [status, status] as const),
    ...(isMoved ? [[before[0] ?? 0, after[0] ?? 0] as const] : []),
  ];
}

const answersOf = ({ statuses }: OperationSurface, of = [...statuses.keys()]): number =>
  of.reduce((sum, status) => sum + (statuses.get(status)?.answers ?? 0), 0);

const statusesIn = (surface: OperationSurface, of: readonly number[]): Carried => ({
  says: of.join(', '),
  seen: answersOf(surface, [...of]),
  of: answersOf(surface),
});

function compareSuccess(
  was: OperationSurface,
  now: OperationSurface,
  tell: Tell,
  onDoubt: (reason: string) => void,
): void {
  const [before, after] = [successesOf(was), successesOf(now)];
  const row: OperationRow = operationRow(was.operation);
  const fresh = after.filter((status) => !before.includes(status));
  const place = 'status';
  if (before.length === 0) return;
  if (after.length === 0) {
    const all = [...now.statuses.keys()].sort();
    if (all.every((status) => isGone(status, row)))
      tell({
        class: 'breaking',
        what: 'status',
        place,
        was: statusesIn(was, before),
        now: statusesIn(now, all),
      });
    else onDoubt('no success in the second recording');
  } else if (fresh.length > 0) {
    const isShared = before.some((status) => after.includes(status));
    const isEither = row.success.length > 1 && fresh.every((status) => row.success.includes(status));
    const kind = isShared ? 'additive' : isEither ? 'value' : 'breaking';
    tell({ class: kind, what: 'status', place, was: statusesIn(was, before), now: statusesIn(now, fresh) });
  }
}

/** An answer that no mistake of a TPP brings about: the bank fails, or offers the operation no more. */
const isGone = (status: number, { on }: OperationRow): boolean =>
  status >= 500 || status === 405 || status === 410 || (status === 404 && on === null);

function compareErrorStatuses(was: OperationSurface, now: OperationSurface, tell: Tell): void {
  for (const [code, before] of was.errors) {
    const after = now.errors.get(code);
    if (after === undefined || [...after.keys()].some((status) => before.has(status))) continue;
    const side = (counts: ReadonlyMap<string, number>): Carried => {
      const seen = [...counts.values()].reduce((sum, one) => sum + one, 0);
      return { says: `${code} with ${[...counts.keys()].join(', ')}`, seen, of: seen };
    };
    tell({ class: 'breaking', what: 'error-status', place: 'status', was: side(before), now: side(after) });
  }
}

/** Only what was seen in one answer tells that a list is divided now: a short one fits on any page. */
function comparePages({ pages: was }: OperationSurface, { pages: now }: OperationSurface, tell: Tell): void {
  const paged = (one: typeof was, of: number): Carried => ({
    says: `pages of ${of} entries`,
    seen: one.paged,
    of: one.paged,
  });
  const whole = (one: typeof was): Carried => ({
    ...{ says: `${one.longestWhole} entries in one answer`, seen: 1, of: 1 },
  });
  const change = { what: 'pagination', place: 'body' } as const;
  if (was.paged === 0 && now.paged > 0 && was.longestWhole > now.longest)
    tell({ class: 'breaking', ...change, was: whole(was), now: paged(now, now.longest) });
  if (was.paged > 0 && now.paged === 0 && now.longestWhole > was.longest)
    tell({ class: 'value', ...change, was: paged(was, was.longest), now: whole(now) });
  const isEven = [was, now].every(({ paged: count, shortest, longest }) => count > 0 && shortest === longest);
  if (isEven && was.longest !== now.longest)
    tell({ class: 'value', ...change, was: paged(was, was.longest), now: paged(now, now.longest) });
}

/** Says nothing to a client, or only to caches. */
const MINOR_HEADERS: ReadonlySet<string> = new Set(['cache-control', 'aspsp-notification-support']);
const STRICT_HEADERS: ReadonlySet<string> = new Set(['content-type', 'aspsp-sca-approach']);

function compareStatus(where: Where, was: StatusSurface, now: StatusSurface, telling: Telling): void {
  const { excuse, changes, notCompared } = telling;
  const part = (name: 'header' | 'body') => {
    const placed = (place: string) => (place === '' ? name : `${name} ${place}`);
    return {
      isError: (where.status ?? 0) >= 400,
      onChange: (change: ShapeChange) => changes.push({ ...where, ...change, place: placed(change.place) }),
      onDoubt: ({ place, reason }: ShapeDoubt) =>
        notCompared.push({ ...where, place: placed(place), reason }),
    };
  };
  const headers = { excuse: () => null, minor: MINOR_HEADERS, strict: STRICT_HEADERS };
  compareShapes(was.header, now.header, { ...part('header'), ...headers });
  compareShapes(was.body, now.body, { ...part('body'), excuse });
}

const RIGHTS: ReadonlySet<string> = new Set(['balances', 'transactions']);

/** A read gives back what the TPP sent, and accounts only what a consent gives a right to. */
function excusesOf(was: Surface, now: Surface, operation: OperationId): CompareShapes['excuse'] {
  const { group } = operationRow(operation);
  const isRead = operation === 'consents.read' || operation === 'payments.read';
  return (place, missing) => {
    const [with_, without] = missing === 'now' ? [was.sent, now.sent] : [now.sent, was.sent];
    const side = missing === 'now' ? 'second' : 'first';
    const own = `${group} ${place}`;
    if (isRead && with_.has(own) && !without.has(own))
      return `the TPP of the ${side} recording did not send it`;
    const [right = ''] = place.split(/[.[]/).slice(-1);
    if (group !== 'accounts' || !RIGHTS.has(right) || !without.has('consents')) return null;
    const gives = [right, 'allPsd2', 'availableAccountsWithBalance', 'availableAccountsWithBalances'];
    if (gives.some((name) => without.has(`consents access.${name}`))) return null;
    return `no consent of the ${side} recording asks for it`;
  };
}
