/**
 * Facts of one family by their keys. Out of a store they come as text, and stay text until somebody asks for them: of
 * very many, few are ever asked for again.
 */
export class FactMap<T extends object> extends Map<string, T> {
  /** Behind all others where the key has nothing, as `set`. */
  setText(key: string, text: string): void {
    super.set(key, text as unknown as T);
  }

  /** As it is held: text, where nobody has asked for it. */
  held(key: string): T | string | undefined {
    return super.get(key);
  }

  override get(key: string): T | undefined {
    const held: unknown = super.get(key);
    if (typeof held !== 'string') return held as T | undefined;
    const fact = JSON.parse(held) as T;
    super.set(key, fact);
    return fact;
  }

  override *entries(): MapIterator<[string, T]> {
    for (const key of super.keys()) yield [key, this.get(key) as T];
  }

  override *values(): MapIterator<T> {
    for (const [, fact] of this.entries()) yield fact;
  }

  override [Symbol.iterator](): MapIterator<[string, T]> {
    return this.entries();
  }

  override forEach(look: (fact: T, key: string, map: Map<string, T>) => void): void {
    for (const [key, fact] of this.entries()) look(fact, key, this);
  }
}
