/** What rows go through one by one, whether they are there at once or come later. */

/** Gives out what is settled by each row that it takes, and the rest at the end. */
export interface Stage<In, Out> {
  readonly take: (row: In) => Iterable<Out>;
  readonly close: () => Iterable<Out>;
}

export function* through<In, Out>(rows: Iterable<In>, { take, close }: Stage<In, Out>): Generator<Out> {
  for (const row of rows) yield* take(row);
  yield* close();
}

export async function* throughLater<In, Out>(
  rows: Iterable<In> | AsyncIterable<In>,
  { take, close }: Stage<In, Out>,
): AsyncGenerator<Out> {
  for await (const row of rows) for (const out of take(row)) yield out;
  for (const out of close()) yield out;
}
