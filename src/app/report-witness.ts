/** Which entries of a session were signed by a gateway's key, for a report. */
import { createPublicKey, hash, type KeyObject } from 'node:crypto';
import { checkWitness, type TrustedKey, type Witnessed } from '../evidence/index.js';
import type { EvidenceSource, Report } from '../report/index.js';
import { SandgateError } from '../spec/index.js';
import type { Store, VerifiedLink } from '../store/index.js';
import type { OpenedSource } from './report-source.js';

type Witness = Report['evidence']['witness'];

/** Named by its fingerprint, SHA-256 of the public key, hex: a path says nothing to others. `file`: what the user calls it. */
export function trustedKey(pem: string, file: string): TrustedKey {
  let key: KeyObject;
  try {
    key = createPublicKey(pem);
  } catch (cause) {
    throw new SandgateError('input', `${file} is no PEM public key or certificate.`, { cause });
  }
  return { pem, name: hash('sha256', key.export({ type: 'spki', format: 'der' }), 'hex') };
}

/** The session is gone along once, for its chain and its checkpoints. */
export async function withWitness(
  opened: OpenedSource,
  store: Store,
  session: string,
  key: TrustedKey | null,
): Promise<OpenedSource> {
  const { evidence } = opened.source;
  if (evidence.kind === 'file' || key === null) return opened;
  const witnessed = await checkWitness(until(store, evidence.entries), session, { keys: [key] });
  const known: EvidenceSource = {
    ...evidence,
    breaks: () => witnessed.breaks,
    witness: summaryOf(witnessed, key),
  };
  return { ...opened, source: { ...opened.source, evidence: known } };
}

/** The session as it was when it had so many entries; its breaks are those of now. */
function until(store: Store, entries: number): Parameters<typeof checkWitness>[0] {
  const isThen = ({ seq }: { readonly seq: number }) => seq <= entries;
  return {
    chain: store.chain,
    chainNotes: (session, kind) => store.chainNotes(session, kind).filter(isThen),
    verifyChain: (session, { onLink } = {}) =>
      store.verifyChain(session, {
        onLink: (link: VerifiedLink) => {
          if (isThen(link)) onLink?.(link);
        },
      }),
  };
}

/** null where the key signed nothing of it. */
function summaryOf({ checkpoints, witnessed, unwitnessed }: Witnessed, { name }: TrustedKey): Witness {
  const fitting = checkpoints.filter(({ state }) => state === 'fits');
  const differing = checkpoints.filter(({ state }) => state === 'differs').length;
  if (fitting.length + differing === 0) return null;
  const times = fitting.map(({ checkpoint }) => checkpoint.at).sort();
  return {
    ...{ key: name, checkpoints: fitting.length, differing },
    ...{ from: times[0] ?? null, to: times.at(-1) ?? null },
    ...{ exchanges: witnessed, left: unwitnessed },
  };
}
