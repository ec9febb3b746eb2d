/**
 * Copies a store: session by session, then the facts. Rows go over as they stand, and each session is verified as the
 * copy holds it, by what its links say: whatever was changed or lost, in the source or on the way, breaks its chain.
 */
import { SandgateError } from '../../spec/index.js';
import { breakText, type ChainBreak } from '../chain.js';
import type { CopiedChain, CopySource, CopyTarget } from './parts.js';

export interface CopyOptions {
  /** Copies sessions whose chain is broken, too. */
  readonly broken: boolean;
  /** Told of each break, which stays one. */
  readonly onBreak: (session: string, found: ChainBreak) => void;
  /** A copy into this store was cut off before; it is begun anew. */
  readonly onRest: () => void;
  /** What there is to do, in rows; then what is done. */
  readonly onExpected: (rows: number) => void;
  readonly onDone: (rows: number) => Promise<void> | undefined;
}

export interface Copied {
  readonly sessions: number;
  readonly exchanges: number;
  readonly facts: number;
  /** Sessions that are broken. */
  readonly broken: readonly string[];
}

/** Breaks that an error names. */
const MOST_NAMED = 3;

/** @throws SandgateError; what the target holds then is no store, until it is begun anew */
export async function copyStore(
  source: CopySource,
  target: CopyTarget,
  { broken: mayBreak, onBreak, onRest, onExpected, onDone }: CopyOptions,
): Promise<Copied> {
  if (source.store === target.store)
    throw new SandgateError('store.copy-same', { from: source.name, to: target.name });
  const chains = await source.chains();
  const { hadRest } = await target.begin(source.key);
  if (hadRest) onRest();
  const rowsOf = ({ exchanges, begun }: CopiedChain): number => exchanges + begun;
  onExpected(2 * chains.reduce((sum, chain) => sum + rowsOf(chain), 0) + (await source.countFacts()));
  let done = 0;
  const broken: string[] = [];

  async function copyChain(chain: CopiedChain): Promise<void> {
    for await (const page of source.parts(chain.id)) await target.putParts(chain.id, page);
    for await (const page of source.certificates(chain.id)) await target.putCertificates(chain.id, page);
    let first: number | null = null;
    let last = 0;
    for await (const page of source.entries(chain.id)) {
      await target.putEntries(chain.id, page);
      first ??= page[0]?.turn ?? null;
      last = page.at(-1)?.turn ?? last;
      done += page.filter(({ kind }) => kind !== 'note').length;
      await onDone(done);
    }
    await target.putChain(chain, chain.turns ?? [first ?? 0, last]);
  }

  async function verify(session: string): Promise<void> {
    const found: ChainBreak[] = [];
    let verified = 0;
    let waiting: Promise<void> | undefined;
    const breaks = target.verify(session, ({ exchange }) => {
      if (exchange === null) return;
      const step = onDone(done + ++verified);
      // Where it fails, the last one does as well.
      step?.catch(() => {});
      waiting = step ?? waiting;
    });
    for await (const one of breaks) {
      found.push(one);
      onBreak(session, one);
    }
    await waiting;
    done += verified;
    if (found.length === 0) return;
    broken.push(session);
    if (mayBreak) return;
    const named = found.slice(0, MOST_NAMED).map(breakText).join(' ');
    throw new SandgateError('store.copy-broken', {
      session,
      store: source.name,
      breaks: named,
      to: target.name,
    });
  }

  const sessions = new Map<string, CopiedChain[]>();
  for (const chain of chains) sessions.set(chain.session, [...(sessions.get(chain.session) ?? []), chain]);
  for (const [session, ofSession] of sessions) {
    for (const chain of ofSession) await copyChain(chain);
    await verify(session);
  }
  await target.putWorlds(await source.worlds());
  for await (const page of source.partitions()) await target.putPartitions(page);
  let facts = 0;
  for await (const page of source.facts()) {
    await target.putFacts(page);
    facts += page.length;
    done += page.length;
    await onDone(done);
  }
  await target.finish();
  const exchanges = chains.reduce((sum, chain) => sum + chain.exchanges, 0);
  return { sessions: sessions.size, exchanges, facts, broken };
}
