/** Checkpoints that were kept outside the store: a file of them that proves nothing is an error, never silence. */
import { beginningOf, isEarlier, openCheckpoint, unverifiedCheckpoint } from '../../evidence/index.js';
import { SandgateError } from '../../spec/index.js';
import type { Store } from '../../store/index.js';
import type { ReaderTrust } from './witness.js';

export interface OutsideFile extends Pick<ReaderTrust, 'key' | 'outside'> {
  /** What the user calls the file. */
  readonly file: string;
}

/** @throws SandgateError where one of them is not signed with the key, or none is of the session as it is now */
export async function checkOutside(
  store: Pick<Store, 'chains'>,
  session: string,
  { key, outside, file }: OutsideFile,
): Promise<void> {
  if (key === null) throw new SandgateError('checkpoints.no-key', { file });
  if (outside.length === 0) throw new SandgateError('checkpoints.none', { file });
  const opened = await Promise.all(outside.map((jws) => openCheckpoint(jws, [key])));
  const line = opened.indexOf(null) + 1;
  if (line > 0) throw new SandgateError('checkpoints.changed', { file, line, key: key.file });
  const own = opened.flatMap((one) => (one?.checkpoint.session === session ? one.checkpoint : []));
  if (own.length === 0) throw new SandgateError('checkpoints.foreign', { file, session });
  const begun = await beginningOf(store, session);
  if (own.every((one) => isEarlier(one, begun)))
    throw new SandgateError('checkpoints.earlier', { file, session });
}

/**
 * Of a session that is the one they were signed for: it holds no other checkpoint, up to the last entry that is asked
 * about in each chain.
 * @throws SandgateError where it does
 */
export async function checkWhole(
  store: Pick<Store, 'chains'>,
  session: string,
  { key, outside, file }: OutsideFile,
  isAsked: (chain: string, entries: number) => boolean = () => true,
): Promise<void> {
  const known = new Set(outside);
  const inside = (await store.chains.notes(session, 'checkpoint')).map(({ settings }) =>
    String(settings.statement ?? ''),
  );
  for (const jws of inside) {
    const { store: chain, entries, at } = unverifiedCheckpoint(jws) ?? {};
    if (known.has(jws) || chain === undefined || entries === undefined || !isAsked(chain, entries)) continue;
    if (key === null || (await openCheckpoint(jws, [key])) === null) continue;
    throw new SandgateError('checkpoints.shortened', { file, session, at: at ?? '' });
  }
}
