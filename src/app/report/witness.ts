/** Which entries of a session were signed by a gateway's key, for a report. */
import { createPublicKey, hash, type KeyObject } from 'node:crypto';
import { checkWitness, type PlacedNote, type TrustedKey, type Witnessed } from '../../evidence/index.js';
import type { StampAnchor } from '../../evidence/time-stamp/index.js';
import type { EvidenceSource, Report } from '../../report/index.js';
import { SandgateError } from '../../spec/index.js';
import type { Store, VerifiedLink } from '../../store/index.js';
import type { OpenedSource } from './source.js';

type Witness = NonNullable<Report['evidence']['witness']>;

/** Named by its fingerprint, SHA-256 of the public key, hex: a path says nothing to others. */
export interface EvidenceKey extends TrustedKey {
  /** What the user calls it. */
  readonly file: string;
  /** The user named it; else it was found where the gateway leaves its own. */
  readonly isNamed: boolean;
}

/** Whom the reader believes what was signed of a session. */
export interface ReaderTrust {
  /** null: the reader has none. */
  readonly key: EvidenceKey | null;
  /** Of time stamping authorities; none: time stamps are not checked. */
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

/** The session is gone along once, for its chain and its checkpoints. */
export async function withWitness(
  opened: OpenedSource,
  store: Store,
  session: string,
  trust: ReaderTrust,
): Promise<OpenedSource> {
  const { evidence } = opened.source;
  if (evidence.kind === 'file') return opened;
  const { key, ...parts } = trust;
  const witnessed = await checkWitness(until(store, evidence), session, {
    keys: key === null ? [] : [key],
    ...parts,
  });
  const witness = key === null ? null : summaryOf(witnessed, key, trust);
  const isDoubtful = witness !== null && witnessed.unwitnessedNotes.some(({ kind }) => kind === 'removed');
  const removed =
    evidence.removed !== null && isDoubtful
      ? { ...evidence.removed, unwitnessed: true as const }
      : evidence.removed;
  const known: EvidenceSource = { ...evidence, witness, removed };
  return { ...opened, breaks: () => witnessed.breaks, source: { ...opened.source, evidence: known } };
}

type Ends = Pick<Extract<EvidenceSource, { kind: 'chain' }>, 'entries' | 'chains'>;

/** The session as it was when it had so many entries; its breaks are those of now. */
function until(store: Store, { entries, chains }: Ends): Parameters<typeof checkWitness>[0] {
  const ends = new Map(chains.map((chain) => [chain.store, chain.entries]));
  const isThen = ({ store: of, seq }: { readonly store: string; readonly seq: number }) =>
    seq <= (chains.length === 0 ? entries : (ends.get(of) ?? 0));
  return {
    chains: store.chains,
    chainNotes: async (session, kind) => (await store.chainNotes(session, kind)).filter(isThen),
    verifyChain: (session, { onLink } = {}) =>
      store.verifyChain(session, {
        onLink: (link: VerifiedLink) => {
          if (isThen(link)) onLink?.(link);
        },
      }),
  };
}

/** null where the key signed nothing of it. */
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

/** undefined: none. */
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
