/** Checks that a report follows from its recording: makes it again by its own recipe, and compares. */

import { isDeepStrictEqual } from 'node:util';
import { bytesOf } from '../../exchange/recording/index.js';
import {
  compareReports,
  DEFAULT_CAPS,
  HIDDEN,
  type Judging,
  judgingFor,
  type Recipe,
  type Report,
  renderReport,
  usualTitle,
} from '../../report/index.js';
import { counted, SandgateError } from '../../spec/index.js';
import type { ChainBreak, Store } from '../../store/index.js';
import type { LoadedConfig } from '../config/load.js';
import { openFileSource } from '../report/file-source.js';
import { drawReport, type OpenedSource, openSessionSource, type UsualRecipe } from '../report/source.js';
import type { ReaderTrust } from '../report/witness.js';
import { type Check, checked, type Detail } from './check.js';
import type { StandingReport } from './files.js';

/**
 * The session as the report saw it: no exchange and no note that came later. `breaks` are those of its chain. What the
 * report tells of checkpoints is by the keys that it names; `unwitnessed`: fields that the reader has no key for are taken
 * over as they stand.
 */
export async function sourceOfReport(
  report: Report,
  store: Store,
  loaded: LoadedConfig,
  breaks: readonly ChainBreak[],
  reader: ReaderTrust,
): Promise<{ readonly opened: OpenedSource; readonly unwitnessed: readonly string[] }> {
  const { head, recipe, evidence } = report;
  const name = head.recording.session;
  const session = (await store.sessions()).find((one) => one.name === name);
  if (session === undefined) throw new SandgateError('session.not-in-store', { name: name ?? '' });
  const notes = session.notes.slice(0, head.changes.length);
  const { entries, end, witness } = evidence;
  const only = session.chains.slice(0, 1).map(({ store: of }) => ({ store: of, entries, head: end ?? '' }));
  const then = { entries, end: end ?? '', chains: evidence.chains.length === 0 ? only : evidence.chains };
  const { trust, unwitnessed } = trustOfReport(evidence, reader);
  const opened = await openSessionSource(
    store,
    { ...session, ...then, notes },
    {
      ...{ loaded, today: '', recipe, trust },
      limit: exchangesBehind(report) - (recipe.unfinished?.length ?? 0),
    },
  );
  const found = opened.source.evidence;
  if (found.kind === 'file') return { opened, unwitnessed };
  const stamps = unwitnessed.includes('evidence.witness.stamps') && found.witness !== null && witness;
  const chain = {
    ...found,
    // The hash is that of the report, because the chain was held against it.
    head: evidence.head,
    links: exchangesBehind(report),
    chains: evidence.chains,
    ...(unwitnessed.includes('evidence.witness') ? { witness, removed: evidence.removed } : {}),
    ...(stamps ? { witness: { ...found.witness, stamps: stamps.stamps } } : {}),
  };
  return {
    opened: { ...opened, breaks: () => breaks, source: { ...opened.source, evidence: chain } },
    unwitnessed,
  };
}

/** A report for one TPP counts its own exchanges; how many the recording held is told with its chain. */
export const exchangesBehind = ({ head, recipe, evidence }: Report): number =>
  recipe.tpp === undefined ? head.recording.exchanges : evidence.links;

/** The keys and anchors that the report names, as far as the reader has them. */
function trustOfReport({ witness }: Report['evidence'], { key, anchors, outside }: ReaderTrust) {
  const nobody: ReaderTrust = { key: null, anchors: [], outside: [] };
  if (witness === null) return { trust: nobody, unwitnessed: [] };
  const isApart = witness.outside !== undefined && outside.length === 0;
  if (key?.name !== witness.key || isApart) return { trust: nobody, unwitnessed: ['evidence.witness'] };
  const named = new Set(witness.stamps?.anchors);
  const known = anchors.filter(({ fingerprint }) => named.delete(fingerprint));
  return {
    trust: {
      key,
      anchors: named.size === 0 ? known : [],
      outside: witness.outside === undefined ? [] : outside,
    },
    unwitnessed: named.size === 0 ? [] : ['evidence.witness.stamps'],
  };
}

export function sourceOfFile({ head, recipe }: Report, bytes: Buffer, loaded: LoadedConfig): OpenedSource {
  return openFileSource(bytesOf(bytes), { loaded, today: '', name: head.recording.name, recipe });
}

interface ContentsParts {
  readonly version: string;
  /** Where the reader found the older report; null where it was not looked at. */
  readonly baseline: string | null;
  /** Where the reader found the file that the report was made of; null for a session. */
  readonly recording: string | null;
  /** Fields that tell of checkpoints and could not be made again: the reader has not the keys that they name. */
  readonly unwitnessed: readonly string[];
  /** The report that it calls its baseline; null leaves that unchecked. */
  readonly older: Report | null;
  /** Signed with a key that the reader trusts. */
  readonly isSigned: boolean;
  readonly pause: (taken: number) => Promise<void> | undefined;
  readonly now: number;
}

/** Clocks of two machines may differ. */
const MOST_AHEAD_MS = 300_000;

/** Makes the report again, a pause at a time. */
export async function checkContents(
  { report, text }: StandingReport,
  opened: OpenedSource,
  parts: ContentsParts,
): Promise<Check> {
  const { source } = opened;
  const { older, pause, version, now } = parts;
  const { gateway, title, madeAt, purpose, preparedBy, madeFor } = report.head;
  const again = await drawReport(
    opened,
    {
      version: gateway.version,
      title,
      purpose: purpose ?? undefined,
      preparedBy: preparedBy ?? undefined,
      madeFor: madeFor ?? undefined,
      tpp: report.recipe.tpp,
      caps: report.recipe.caps,
      statistics: report.recipe.statistics,
      madeAt: madeAt ?? undefined,
      ...(report.baseline === null || older === null
        ? {}
        : { baseline: { name: report.baseline.name, report: older } }),
    },
    pause,
  );
  const usual = await opened.usual();
  const isOther = source.evidence.kind === 'file' && source.evidence.digest !== report.evidence.fileDigest;
  const differences = compareReports(report, again);
  const sentences = [
    ...(isOther ? ['The file is not the one that the report was made from.'] : []),
    ...datesAmiss(report, now),
    ...judgedAmiss(report, usual),
    ...(await formAmiss(report, text)),
    ...(differences.length > 0 && gateway.version !== version
      ? [
          `The report says that Sandgate ${gateway.version} made it; this is ${version}, which may word the same differently.`,
        ]
      : []),
  ];
  const details: Detail[] = [...sentences.map((one) => ({ exchange: null, text: one })), ...differences];
  if (details.length > 0)
    return checked('contents', false, 'The report does not follow from the recording.', details);
  const fields = chosenFields(report, usual, parts);
  const same = `The report follows from the recording: made again from its ${counted(again.head.recording.exchanges, 'exchange')}, it is the same.`;
  const sentence = `${same}${baselineText(report, older)}${fieldsText(fields, parts)}`;
  return { ...checked('contents', true, sentence), ...(parts.isSigned ? {} : { open: fields }) };
}

function fieldsText(fields: readonly string[], { isSigned }: ContentsParts): string {
  if (fields.length === 0) return '';
  const them = fields.length === 1 ? 'it' : 'them';
  const cover = isSigned ? `the signature covers ${them}` : `no signature that was checked covers ${them}`;
  return ` It does not show whether this is right: ${fields.map(fieldText).join(', ')}; ${cover}.`;
}

const FIELDS: Readonly<Record<string, string>> = {
  'head.title': 'title',
  'head.purpose': 'purpose',
  'head.preparedBy': 'prepared by',
  'head.madeFor': 'made for',
  'head.madeAt': 'date of making',
  'head.gateway.version': 'version of Sandgate',
  'head.recording.name': 'name of the recording',
  'head.profile': 'profile',
  'head.dailyWindow': 'daily limit',
  'head.overrides': 'severities',
  'head.waivers': 'waivers',
  baseline: 'older report',
  'baseline.name': 'name of the older report',
  'evidence.witness': 'who signed the checkpoints',
  'evidence.witness.stamps': 'time stamps of the checkpoints',
  'availability.published': 'statistics of the bank',
  'recipe.host': 'host',
  'recipe.statistics': 'file of these statistics',
};

/** Names a field as the pages of the report call it, or its setting. */
export const fieldText = (name: string): string =>
  FIELDS[name] ?? name.replace(/^recipe\.(?:judging|caps)\./, 'setting ');

function baselineText({ baseline }: Report, older: Report | null): string {
  if (baseline === null) return '';
  return older === null
    ? ' What it says of a baseline is not checked: add --baseline.'
    : ' What it says of its baseline follows from the older report.';
}

function datesAmiss({ head: { madeAt, recording } }: Report, now: number): string[] {
  if (madeAt === null) return [];
  const made = Date.parse(madeAt);
  if (recording.to !== null && made < Date.parse(recording.to))
    return [
      `The report is dated ${madeAt}, before the end of its recording: the last call is of ${recording.to}.`,
    ];
  return made > now + MOST_AHEAD_MS ? [`The report is dated ${madeAt}, which is in the future.`] : [];
}

/** What was judged live was judged by the settings that the session notes, and by no others. */
function judgedAmiss({ recipe }: Report, usual: UsualRecipe): string[] {
  if (recipe.rejudged || !usual.rejudged) return [];
  return [
    'The report says that it was judged as recorded, but the session was recorded under other settings, or under several.',
  ];
}

/** White space, a member twice, a number or a sign spelt otherwise: others may read it otherwise. */
async function formAmiss(report: Report, text: string): Promise<string[]> {
  const written = await renderReport(report, 'json');
  if (written === text) return [];
  let at = 0;
  while (written[at] === text[at]) at++;
  return [
    `The report is not written as Sandgate writes it (white space, repeated members, escapes): line ${text.slice(0, at).split('\n').length}.`,
  ];
}

/** What the maker of the report chose does not follow from the recording; only a signature covers it. */
function chosenFields(report: Report, usual: UsualRecipe, parts: ContentsParts): string[] {
  return [...inHead(report, parts), ...parts.unwitnessed, ...inRecipe(report, usual)];
}

function inHead({ head, baseline, recipe }: Report, parts: ContentsParts): string[] {
  const { recording, title, madeAt, gateway } = head;
  const usual = usualTitle(recording.session ?? recording.name, recipe.tpp);
  return [
    ...(title === usual ? [] : ['head.title']),
    ...(['purpose', 'preparedBy', 'madeFor'] as const)
      .filter((member) => head[member] != null)
      .map((member) => `head.${member}`),
    ...(parts.recording === null || parts.recording === recording.name ? [] : ['head.recording.name']),
    ...(madeAt === null ? [] : ['head.madeAt']),
    ...(gateway.version === parts.version ? [] : ['head.gateway.version']),
    ...(baseline === null || parts.baseline === baseline.name
      ? []
      : [parts.baseline === null ? 'baseline' : 'baseline.name']),
  ];
}

/** Fields of the head that follow from members of the recipe. */
const TOLD_AT: Readonly<Partial<Record<keyof Judging, string>>> = {
  profile: 'head.profile',
  dailyWindow: 'head.dailyWindow',
  overrides: 'head.overrides',
  waivers: 'head.waivers',
};

/** The usual settings as a report for one TPP shows them: what they say of others is not in it. */
function shownLike(usual: Judging, shown: Judging | undefined, tpp: string): Judging {
  const own = judgingFor(usual, tpp);
  const { notificationAllow = null, waivers = [] } = shown ?? {};
  const isPart = notificationAllow?.every((entry) => own.notificationAllow?.includes(entry)) ?? false;
  return {
    ...own,
    notificationAllow: isPart ? notificationAllow : own.notificationAllow,
    waivers: own.waivers.map((one, i) => (waivers[i]?.reason === HIDDEN ? { ...one, reason: HIDDEN } : one)),
  };
}

function usualFor({ tpp, judging, judgings }: Recipe, usual: UsualRecipe): UsualRecipe {
  if (tpp === undefined) return usual;
  const all = usual.judgings?.map((one, i) => shownLike(one, judgings?.[i], tpp));
  return {
    ...usual,
    judging: shownLike(usual.judging, judging, tpp),
    ...(all === undefined ? {} : { judgings: all }),
  };
}

function inRecipe({ recipe }: Report, asUsual: UsualRecipe): string[] {
  const usual = usualFor(recipe, asUsual);
  const judging = Object.keys(usual.judging) as (keyof Judging)[];
  const caps = Object.keys(DEFAULT_CAPS) as (keyof typeof DEFAULT_CAPS)[];
  return [
    ...judging
      .filter((member) => !isDeepStrictEqual(recipe.judging[member], usual.judging[member]))
      .flatMap((member) => [`recipe.judging.${member}`, TOLD_AT[member] ?? []].flat()),
    ...(isDeepStrictEqual(recipe.judgings, usual.judgings)
      ? []
      : ['recipe.judgings', 'head.profile', 'head.overrides', 'head.waivers']),
    ...(recipe.rejudged === usual.rejudged ? [] : ['recipe.rejudged']),
    ...(recipe.statistics === undefined ? [] : ['recipe.statistics', 'availability.published']),
    ...(recipe.host === usual.host ? [] : ['recipe.host']),
    ...(isDeepStrictEqual(recipe.earlier, usual.earlier) ? [] : ['recipe.earlier']),
    ...caps.filter((cap) => recipe.caps[cap] !== DEFAULT_CAPS[cap]).map((cap) => `recipe.caps.${cap}`),
  ];
}
