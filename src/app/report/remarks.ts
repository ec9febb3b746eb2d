/** What a report remarks of its recording, in sentences. */
import { isDeepStrictEqual } from 'node:util';
import { gatewayNotes, type RecordingFile } from '../../exchange/index.js';
import type { Judging } from '../../report/index.js';
import { catalogueDigest } from '../../rules/index.js';
import { counted, plural } from '../../spec/index.js';
import type { SessionInfo } from '../../store/index.js';
import type { Config } from '../config/config.js';
import { bankRemarks } from './asked-bank.js';
import type { KnownBefore } from './ledger.js';
import type { Settings } from './periods.js';

const MOST_NAMED = 10;

export const areSame = (all: readonly unknown[]): boolean =>
  all.every((one) => isDeepStrictEqual(one, all[0]));

/** Exchanges are found to be unreadable while the report is made: what is said of them grows with them. */
export function listUnreadable() {
  const ids: string[] = [];
  let remarks: string[] = [];
  let place = 0;
  const tell = (): void => {
    remarks[place] =
      `${counted(ids.length, 'exchange')} cannot be read, and ${plural(ids.length, 'is', 'are')} not in this report: ${ids.join(', ')}.`;
  };
  return {
    add: (id: string): void => {
      ids.push(id);
      tell();
    },
    behind: (others: string[]): readonly string[] => {
      [remarks, place] = [others, others.length];
      if (ids.length > 0) tell();
      return remarks;
    },
  };
}

/** `known`: from which earlier sessions consents and tokens are known; `unfinished`: exchanges without an end. */
export function sessionRemarks(
  notes: SessionInfo['notes'],
  judgings: readonly Judging[],
  inForce: readonly Settings[],
  rejudged: boolean,
  known: Pick<KnownBefore, 'sessions' | 'leftAside'>,
  unfinished: number,
  erased: string,
): string[] {
  const { sessions: earlier, leftAside } = known;
  const remarks = [
    ...bankRemarks(profilesIn(inForce), profilesIn(judgings)),
    ...new Set(inForce.flatMap(({ laterProfile: name }) => (name === undefined ? [] : [LATER(name)]))),
  ];
  const profilesOf = (of: readonly { readonly profile?: string | undefined }[]): string =>
    [...new Set(of.flatMap(({ profile }) => profile ?? []))].join(', then ');
  if (rejudged)
    remarks.push(
      `Judged again under profile ${profilesOf(judgings)}; recorded under ${profilesOf(inForce) || 'settings that are not noted'}. Rules that need values that no recording holds keep their live verdict.`,
    );
  // Where it listened is nothing that anybody set to judge by.
  if (!areSame(judgings.map((one) => ({ ...one, bankOrigins: [] }))))
    remarks.push(
      'The settings changed while it was recorded: each call is judged by those that were in force when it came.',
    );
  const catalogues = [...new Set(inForce.flatMap(({ catalogue }) => catalogue ?? []))];
  const short = (digest: string): string => digest.slice(0, 12);
  if (catalogues.length > 1)
    remarks.push(
      `Gateways with different rules recorded it (catalogues ${catalogues.map(short).join(', ')}): ${rejudged ? 'all of it was judged again by those of this program' : 'each call was judged by those of its gateway'}.`,
    );
  else if (!rejudged && catalogues[0] !== undefined && catalogues[0] !== catalogueDigest())
    remarks.push(
      `It was judged live by another catalogue of rules (${short(catalogues[0])}) than that of this program.`,
    );
  if (gatewayNotes(notes).some(({ settings }) => settings.lendCertificate === 'anyone'))
    remarks.push(
      'With --lend-certificate anyone, calls of callers without a trusted certificate were forwarded too, with the gateway’s certificate.',
    );
  if (unfinished > 0)
    remarks.push(
      `${counted(unfinished, 'exchange has', 'exchanges have')} no recorded end (fault “unfinished”): sent to the bank, which may have acted, and still under way, or the gateway stopped or could not record the end.`,
    );
  if (erased !== '')
    remarks.push(`${erased} They count with their recorded verdicts, which are all that is left of them.`);
  const more = earlier.length > MOST_NAMED ? `, and ${earlier.length - MOST_NAMED} more` : '';
  if (rejudged && earlier.length > 0)
    remarks.push(
      `Consents and tokens of ${counted(earlier.length, 'earlier session')} count as known, whose chains were not checked: ${earlier.slice(0, MOST_NAMED).join(', ')}${more}.`,
    );
  if (leftAside > 0)
    remarks.push(
      `${leftAside} earlier sessions were not read: consents and tokens of these are not known here.`,
    );
  return remarks;
}

/** Own rules that it was judged by, and whose files the user has not named. */
export function ownRulesRemarks(
  judgings: readonly Judging[],
  loaded: Config['loadedRules'],
  rejudged: boolean,
): string[] {
  const known = new Set(loaded?.rules.map(({ own }) => own?.file.digest));
  const missing = new Map(
    judgings.flatMap(({ ownRules = [] }) => ownRules.map(({ name, digest }) => [digest, name])),
  );
  for (const digest of known) if (digest !== undefined) missing.delete(digest);
  if (missing.size === 0) return [];
  const named = [...missing].map(([digest, name]) => `${name} (SHA-256 ${digest})`).join(', ');
  const again = rejudged ? ' They were not judged again.' : '';
  return [`Own rules that are not at hand: ${named}.${again} Name them with --own-rules.`];
}

const LATER = (name: string): string =>
  `Recorded under a bank profile (${name}) that this version of Sandgate cannot read; judged by the built-in interface, or by the profile that is named with --bank-profile.`;

const profilesIn = (all: readonly Pick<Judging, 'bankProfile'>[]) =>
  all.map(({ bankProfile }) => bankProfile);

export function fileRemarks({ skipped, recordedBy, recordedUnder, dialect }: RecordingFile): string[] {
  const left = Object.values(skipped).reduce((sum, count) => sum + count, 0);
  return [
    ...(recordedUnder === undefined ? [] : bankRemarks([recordedUnder.profile], [dialect.profile])),
    ...(recordedBy !== undefined
      ? ['The file was not written by Sandgate: it holds no certificates, so who called is not known.']
      : []),
    ...(left > 0
      ? [`${counted(left, 'entry', 'entries')} of the file ${plural(left, 'was', 'were')} skipped.`]
      : []),
  ];
}
