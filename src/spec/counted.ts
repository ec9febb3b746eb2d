/** Counts in sentences. */

/** `was` of one, `were` of any other count; `many` for what takes more than an s. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many;
}

/** `1 call`, `2 calls`. */
export function counted(count: number, one: string, many?: string): string {
  return `${count} ${plural(count, one, many)}`;
}
