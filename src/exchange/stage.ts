/** Rows go through a stage one by one, whether they are there at once or come later. */

/** Gives out what is settled by each row that it takes, and the rest at the end. */
export interface Stage<In, Out> {
  readonly take: (row: In) => Iterable<Out>;
  readonly close: () => Iterable<Out>;
}

/** Out of rows that are there at once comes what is there at once. */
export function through<In, Out>(rows: Iterable<In>, stage: Stage<In, Out>): Generator<Out>;
export function through<In, Out>(
  rows: Iterable<In> | AsyncIterable<In>,
  stage: Stage<In, Out>,
): Generator<Out> | AsyncGenerator<Out>;
export function through<In, Out>(rows: Iterable<In> | AsyncIterable<In>, stage: Stage<In, Out>) {
  return Symbol.iterator in rows ? atOnce(rows, stage) : later(rows, stage);
}

function* atOnce<In, Out>(rows: Iterable<In>, { take, close }: Stage<In, Out>): Generator<Out> {
  for (const row of rows) yield* take(row);
  yield* close();
}

async function* later<In, Out>(
  rows: AsyncIterable<In>,
  { take, close }: Stage<In, Out>,
): AsyncGenerator<Out> {
  for await (const row of rows) for (const out of take(row)) yield out;
  for (const out of close()) yield out;
}
