/** A pooler between a gateway and its server must keep sessions together: settings, locks and notices belong to them. */
import { SandgateError } from '../../spec/index.js';

/** A connection, as far as it is needed here. */
export interface Asked {
  /** The number of the server's process that answers on it. */
  readonly backend: () => Promise<number>;
}

export interface OtherAsked extends Asked {
  /** Its transaction with it. */
  readonly end: () => Promise<unknown>;
}

/**
 * `announced`: the number by which the connection was begun. A pooler announces one of its own; one that keeps transactions together
 * gives the same process to another client that begins one, or another one to whoever asks again.
 */
export async function refuseTransactionPooler(
  { backend }: Asked,
  announced: unknown,
  openOther: () => Promise<OtherAsked>,
  shown: string,
): Promise<void> {
  const first = await backend();
  if (first === announced) return;
  const other = await openOther();
  try {
    if ((await other.backend()) === first || (await backend()) !== first)
      throw new SandgateError('store.pooled', { store: shown });
  } finally {
    await other.end().catch(() => {});
  }
}
