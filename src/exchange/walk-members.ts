/** Walks a JSON value within bounds: an answer may be large, or nested without end. */

const DEEPEST = 12;
const MOST_VALUES = 50_000;

/** `path` leads to the member and is only good during the visit; `owner` is the object it stands in. */
export type MemberVisit = (
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
