/** What of a dossier's pages does not follow from the JSON that is attached to it. */
import { createHash } from 'node:crypto';
import { readDossier } from '../../../src/report/dossier/index.js';
import { pagesOf, sentencesOf, unaccounted } from './numbers.js';
import { readPages } from './read-pages.js';

/** Of each page the first text that was not recomputed, then sentences that name another number than they may. */
export function notRecomputed(bytes: Buffer): string[] {
  const { attachments } = readDossier(bytes);
  const json = attachments.get('report.json') ?? Buffer.alloc(0);
  const { report, blocks, typed } = wantedBy(json, [...attachments.keys()]);
  return [
    ...readPages(bytes).flatMap((pieces, i) => unaccounted(pieces, blocks[i] ?? [], typed) ?? []),
    ...sentencesOf(report)
      .filter(([text, numbers]) => (text.match(/\d+/g) ?? []).some((one) => !numbers.includes(Number(one))))
      .map(([text]) => text),
  ];
}

export function wantedBy(json: Buffer, attached: readonly string[]) {
  const report = JSON.parse(`${json}`);
  const sha256 = createHash('sha256').update(json).digest('hex');
  return { report, blocks: pagesOf(report, { sha256, attached }), typed: typedIn(report) };
}

/** Names and ids, which may hold digits: of whom it is, who answered, and who signed. */
const typedIn = ({ tpps, against, head, evidence }: ReturnType<typeof JSON.parse>): string[] => [
  ...tpps.flatMap(({ id, name, nca }: { id: string; name: string; nca: { name: string } }) => [
    id,
    name,
    nca.name,
  ]),
  ...against.flatMap(({ hosts, banks }: { hosts: string[]; banks: string[] }) => [...banks, ...hosts]),
  ...[head.purpose, head.preparedBy, head.madeFor, 'NextGenPSD2', evidence.sentence].filter(
    (one) => one !== null,
  ),
  ...(evidence.witness?.stamps?.authorities ?? []),
];
