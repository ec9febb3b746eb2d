/** Whether the recording is as it was made, and how to check it. */
import type { Report } from '../../model.js';
import { ToExchange } from '../links.js';
import { type Fact, Facts, Name, Omitted, Section } from '../parts.js';
import { counted, grouped, visible } from '../text.js';

type Evidence = Report['evidence'];

type Parts = { readonly evidence: Evidence; readonly statement: string | null };

export function EvidenceSection({ evidence, statement }: Parts) {
  const { level, kind, head, witness, links, gaps, breaks, omittedBreaks, sentence, fileDigest } = evidence;
  const facts: readonly Fact[] = [
    ['Level', LEVELS[level]],
    ['Kind', kind === 'chain' ? 'hash chain of the store' : 'digest of the file'],
    ...(head === null ? [] : [['Head hash', <Name key="head">{head}</Name>] as const]),
    ...(level === 'broken' ? [] : witnessFacts(witness)),
    ...(fileDigest === null ? [] : [['SHA-256 of the file', <Name key="file">{fileDigest}</Name>] as const]),
    ...(kind === 'chain'
      ? [['Links', grouped(links)] as const, ['Missing exchanges', grouped(gaps)] as const]
      : []),
  ];
  return (
    <Section id="evidence" title="Evidence" lead={sentence}>
      <Facts facts={facts} wide />
      {statement === null ? null : (
        <p>
          This page is signed: its digest is in the signed statement <Name>{statement}</Name>. Check it with{' '}
          <Name>sandgate verify</Name> and the public key of the signer.
        </p>
      )}
      {breaks.length === 0 ? null : (
        <ul class="plain breaks">
          {breaks.map((one) => (
            <li key={`${one.kind} ${one.seq}`}>
              <strong>{BREAKS[one.kind]}</strong> at number {grouped(one.seq)}
              {one.exchange === null ? null : (
                <>
                  , exchange <ToExchange id={one.exchange} />
                </>
              )}
              {one.missing === 0 ? '' : `, ${counted(one.missing, 'exchange')} missing`}
            </li>
          ))}
        </ul>
      )}
      <Omitted count={omittedBreaks} what="break" />
    </Section>
  );
}

/** A broken chain has no witness facts: they would say more than they show. */
function witnessFacts(witness: Evidence['witness']): readonly Fact[] {
  if (witness === null) return [];
  const { key, checkpoints, stamps } = witness;
  const { anchors = [], authorities = [], shown = 0, unchecked = 0, wanting = 0 } = stamps ?? {};
  const counts = [
    `${grouped(shown)} of ${counted(checkpoints, 'checkpoint')} sound`,
    ...(wanting === 0 ? [] : [`${grouped(wanting)} wanting`]),
    ...(unchecked === 0 ? [] : [`${grouped(unchecked)} not checked`]),
  ];
  return [
    ['Key that signed', <Name key="key">{key}</Name>],
    ...(stamps === null ? [] : [['Time stamps', counts.join(', ')] as const]),
    ...(authorities.length === 0 ? [] : [['Who stamped', visible(authorities.join('; '))] as const]),
    ...anchors.map((one) => ['Checked against, SHA-256', <Name key={one}>{one}</Name>] as const),
  ];
}

export const LEVELS = {
  witnessed: 'witnessed',
  consistent: 'consistent in itself',
  imported: 'imported from a file',
  broken: 'broken',
} as const satisfies Record<Evidence['level'], string>;

const BREAKS = {
  changed: 'Changed',
  missing: 'Missing',
  cut: 'Cut off',
  added: 'Added',
  beginning: 'Another beginning',
  session: 'Another session',
  disturbed: 'Disturbed',
  chain: 'A chain gone',
  erased: 'Unreadable, and not noted as erased',
  removed: 'Removed, and not by retention',
} as const;
