/** Finds JSON members that occur twice: some readers take the first, others the last. */
import { closingQuote, isName } from './json-text.js';

/** The name of the first member that an object holds twice; undefined where none does. The text must parse. */
export function repeatedMember(text: string): string | undefined {
  /** Names of each object that is open; null for an array. */
  const open: (Set<string> | null)[] = [];
  const token = /["{}[\]]/g;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [sign] = found;
    if (sign === '{') open.push(new Set());
    else if (sign === '[') open.push(null);
    else if (sign !== '"') open.pop();
    else {
      const end = closingQuote(text, found.index) + 1;
      token.lastIndex = end;
      const names = open.at(-1);
      if (names == null || !isName(text, end)) continue;
      const name = JSON.parse(text.slice(found.index, end)) as string;
      if (names.has(name)) return name;
      names.add(name);
    }
  }
  return undefined;
}
