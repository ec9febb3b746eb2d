/** Which entries of a session were signed by a gateway's key, for a report. */
import { createPublicKey, hash, type KeyObject } from 'node:crypto';
import {
  beginningOf,
  checkWitness,
  isEarlier,
  openCheckpoint,
  type PlacedNote,
  type TrustedKey,
  unverifiedCheckpoint,
  type Witnessed,
} from '../../evidence/index.js';
import type { StampAnchor } from '../../evidence/time-stamp/index.js';
import type { Report } from '../../report/index.js';
import { SandgateError } from '../../spec/index.js';
import type { SessionInfo, Store, VerifiedLink } from '../../store/index.js';
import { isWithin } from './periods.js';

type Witness = NonNullable<Report['evidence']['witness']>;

/** Named by its fingerprint, SHA-256 of the public key, hex: a path says nothing to others. */
export interface EvidenceKey extends TrustedKey {
  readonly file: string;
  /** The user named it; else it was found where the gateway leaves its own. */
  readonly isNamed: boolean;
}

/** Whom the reader believes what was signed of a session. */
export interface ReaderTrust {
  readonly key: EvidenceKey | null;
  /** Certificates of time stamping authorities; none: time stamps are not checked. */
  readonly anchors: readonly StampAnchor[];
  /** Checkpoints that were kept outside the store, each a JWS. */
  readonly outside: readonly string[];
}

export function evidenceKey(pem: string, file: string, isNamed: boolean): EvidenceKey {
  let key: KeyObject;
  try {
    key = createPublicKey(pem);
  } catch (cause) {
    throw new SandgateError('key.unreadable', { file, what: 'public key or certificate' }, { cause });
  }
  return { pem, file, isNamed, name: hash('sha256', key.export({ type: 'spki', format: 'der' }), 'hex') };
}

export type SeenSession = Awaited<ReturnType<typeof seeSession>>;

/** Goes along a session once, for its chain and its checkpoints. `session`: as it was when it had so many entries; its breaks are those of now. */
export async function seeSession(store: Store, session: SessionInfo, trust: ReaderTrust) {
  const { key, ...parts } = trust;
  const keys = key === null ? [] : [key];
  const open = createUnfinished();
  const seen = await checkWitness(until(store, session, open.see), session.name, { keys, ...parts });
  const { breaks, exchanges, checkpoints, unwitnessedNotes } = seen;
  const witness = key === null ? null : summaryOf(seen, key, trust);
  const isSigned = checkpoints.some(({ state }) => state === 'fits');
  return {
    ...{ breaks, exchanges, witness, covers: isSigned ? seen.covers : null },
    /** A note on a removal is covered by no checkpoint. */
    isRemovalDoubtful: witness !== null && unwitnessedNotes.some(({ kind }) => kind === 'removed'),
    /** Exchanges that were begun and had no end; those of a chain that is broken nobody can tell. */
    unfinished: open.ids,
  };
}

/** Which exchanges have a beginning and no end, as far as a chain was gone along. */
export function createUnfinished() {
  const ids = new Set<string>();
  return {
    ids: ids as ReadonlySet<string>,
    see: ({ exchange, isBegun }: VerifiedLink): void => {
      if (exchange === null) return;
      if (isBegun) ids.add(exchange);
      else ids.delete(exchange);
    },
  };
}

function until(
  store: Store,
  session: SessionInfo,
  see: (link: VerifiedLink) => void,
): Parameters<typeof checkWitness>[0] {
  const isThen = isWithin(session);
  return {
    chains: {
      ...store.chains,
      notes: async (name, kind) => (await store.chains.notes(name, kind)).filter(isThen),
      verify: (name, { onLink } = {}) =>
        store.chains.verify(name, {
          onLink: (link: VerifiedLink) => {
            if (!isThen(link)) return;
            see(link);
            onLink?.(link);
          },
        }),
    },
  };
}

function summaryOf(
  { checkpoints, witnessed, unwitnessed, unwitnessedNotes }: Witnessed,
  { name }: TrustedKey,
  { anchors }: ReaderTrust,
): Witness | null {
  const fitting = checkpoints.filter(({ state }) => state === 'fits');
  const differing = checkpoints.filter(({ state }) => state === 'differs').length;
  if (fitting.length + differing === 0) return null;
  const outside = checkpoints.filter(({ seq, state }) => seq === null && state !== 'gone').length;
  const times = fitting.map(({ checkpoint }) => checkpoint.at).sort();
  return {
    key: name,
    checkpoints: fitting.length,
    differing,
    from: times[0] ?? null,
    to: times.at(-1) ?? null,
    exchanges: witnessed,
    left: unwitnessed,
    ...(unwitnessedNotes.length === 0 ? {} : { notes: notesIn(unwitnessedNotes) }),
    ...(outside === 0 ? {} : { outside }),
    stamps: stampsOf(fitting, anchors),
  };
}

const MOST_LISTED = 20;

export const notesIn = (notes: readonly PlacedNote[]): Witness['notes'] =>
  notes.length === 0
    ? undefined
    : {
        left: notes.length,
        first: notes.slice(0, MOST_LISTED).map(({ store, seq, kind }) => ({ store, entry: seq, kind })),
      };

/** null where there is none, and nobody asked for one. */
function stampsOf(fitting: Witnessed['checkpoints'], anchors: readonly StampAnchor[]): Witness['stamps'] {
  const all = fitting.flatMap(({ stamped }) => stamped ?? []);
  const isAsked = anchors.length > 0;
  if (!isAsked && all.every(({ state }) => state === 'absent')) return null;
  const shown = all.filter(({ state }) => state === 'trusted');
  const unchecked = all.filter(({ state }) => state === 'unchecked').length;
  const absent = isAsked ? 0 : all.filter(({ state }) => state === 'absent').length;
  const times = shown.map(({ at }) => new Date(at ?? 0).toISOString()).sort();
  return {
    anchors: [...new Set(anchors.map(({ fingerprint }) => fingerprint))].sort(),
    authorities: [...new Set(shown.map(({ authority }) => authority))].sort(),
    shown: shown.length,
    unchecked,
    wanting: all.length - shown.length - unchecked - absent,
    from: times[0] ?? null,
    to: times.at(-1) ?? null,
  };
}

interface OutsideFile extends Pick<ReaderTrust, 'key' | 'outside'> {
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

/** The session holds no other checkpoint, up to the last entry that is asked about in each chain. */
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
