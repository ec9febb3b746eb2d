/** Finds JSON members that occur twice: some readers take the first, others the last. */
import { closingQuote, isName } from './json-text.js';

/** The name of the first member that an object holds twice; undefined where none does. The text must parse. */
export function repeatedMember(text: string): string | undefined {
  /** Names of each object that is open; null for an array. */
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '{') open.push(new Set());
    else if (sign === '[') open.push(null);
    else if (sign === '}' || sign === ']') open.pop();
    else if (sign === '"') {
      const literal = text.slice(at, closingQuote(text, at) + 1);
      at += literal.length - 1;
      const names = open.at(-1);
      if (names == null || !isName(text, at + 1)) continue;
      const name = literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1);
      if (names.has(name)) return name;
      names.add(name);
    }
  }
  return undefined;
}
