/** All rows of a store, whether they are there at once or come later. */
export async function all<T>(rows: Iterable<T> | AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const row of rows) found.push(row);
  return found;
}
