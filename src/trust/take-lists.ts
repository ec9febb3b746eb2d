/** Decides which lists are trusted: the list of lists by its signers and pivots, a national list by what that one names. */
import type { TrustSnapshot } from '../certificate/index.js';
import { dateAt } from '../spec/index.js';
import type { Signers } from './official-journal.js';
import type { Pointer, ReadList, UnreadList } from './read-list.js';

/** A file, or an address, and what was read there. */
export interface FoundList {
  readonly file: string;
  readonly read: ReadList | UnreadList;
}

export interface TakenList {
  readonly file: string;
  /** The list’s own word, also where it is refused. */
  readonly country: string | null;
  readonly state: 'accepted' | 'refused';
  /** null where there is nothing to say of an accepted list. */
  readonly why: string | null;
}

interface TakenLists {
  readonly lists: readonly TakenList[];
  /** null where there is no list of lists to trust. */
  readonly snapshot: TrustSnapshot | null;
}

type Readable = FoundList & { readonly read: ReadList };
const isReadable = (found: FoundList): found is Readable => !('why' in found.read);

const refusedOne = ({ file, read }: FoundList, why: string): TakenList => ({
  file,
  country: read.country,
  state: 'refused',
  why,
});

/** Why a list cannot be in force at a time, whoever signed it. */
function faultOf({ issued, signer }: ReadList, at: number): string | null {
  if (issued > at) return `it was issued on ${dateAt(issued)}, after ${dateAt(at)}`;
  // By the day of its issue: a list may be in force longer than the certificate that signed it.
  const isValid = Date.parse(signer.validFrom) <= issued && issued <= Date.parse(signer.validTo);
  return isValid ? null : 'the certificate of its signer was not valid on the day of its issue';
}

const signerName = ({ signer }: ReadList): string =>
  signer.subject
    .split('\n')
    .find((line) => line.startsWith('CN='))
    ?.slice(3, 103) ?? 'an unnamed certificate';

export interface ChosenLotl {
  readonly lists: readonly TakenList[];
  readonly chosen: Readable | null;
}

/**
 * The newest list of lists whose signer is trusted. Its editions are gone through from the oldest on: each names who may
 * sign the next one.
 * @param signers whom the Official Journal names
 * @param at epoch ms
 */
export function chooseListOfLists(found: readonly FoundList[], signers: Signers, at: number): ChosenLotl {
  const editions = found
    .filter(isReadable)
    .filter(({ read }) => read.isListOfLists)
    .sort((a, b) => a.read.sequence - b.read.sequence || a.read.issued - b.read.issued);
  let trusted = signers.fingerprints;
  let chosen: Readable | null = null;
  const lists: TakenList[] = [];
  for (const edition of editions) {
    const { read, file } = edition;
    const fault = faultOf(read, at);
    const next = read.pointers.find(({ isListOfLists }) => isListOfLists)?.signers ?? [];
    if (fault !== null) lists.push(refusedOne(edition, fault));
    else if (!trusted.includes(read.signerDigest))
      lists.push(
        refusedOne(
          edition,
          `it is signed by ${signerName(read)}, whom neither the Official Journal nor an earlier edition names`,
        ),
      );
    else {
      if (next.length > 0 && read.issued >= signers.since) trusted = next;
      if (chosen === null || isNewer(read, chosen.read)) chosen = edition;
      lists.push({ file, country: read.country, state: 'accepted', why: null });
    }
  }
  const remarked = lists.map((one): TakenList => {
    const own = editions.find(({ file }) => file === one.file);
    if (one.state === 'refused' || chosen === null || own === undefined) return one;
    return { ...one, why: own === chosen ? overdue(own.read, at) : replaced(chosen, own.read) };
  });
  return { lists: remarked, chosen };
}

const isNewer = (one: ReadList, other: ReadList): boolean =>
  one.sequence > other.sequence || (one.sequence === other.sequence && one.issued > other.issued);

const overdue = ({ nextUpdate }: ReadList, at: number): string | null =>
  nextUpdate !== null && nextUpdate <= at ? `it was due for an update on ${dateAt(nextUpdate)}` : null;

/**
 * @param before the snapshot in force: its lists stay where no new one is accepted
 * @param at epoch ms
 */
export function takeLists(
  found: readonly FoundList[],
  signers: Signers,
  at: number,
  before: TrustSnapshot | null,
): TakenLists {
  const old = before !== null && Date.parse(before.madeAt) <= at ? before : null;
  const { lists, chosen } = chooseListOfLists(found, signers, at);
  const told = new Map(lists.map((one) => [one.file, one]));
  const isOlder = chosen !== null && old !== null && chosen.read.sequence < old.listOfLists.sequence;
  if (chosen !== null && isOlder)
    told.set(chosen.file, refusedOne(chosen, `edition ${old.listOfLists.sequence} is in force, and newer`));
  const pointers = isOlder ? [] : (chosen?.read.pointers ?? []).filter((one) => !one.isListOfLists);
  const accepted = new Map<string, Readable>();
  for (const one of found) {
    if ('why' in one.read) told.set(one.file, refusedOne(one, one.read.why));
    else if (isReadable(one) && !one.read.isListOfLists) {
      const why = refusal(one.read, pointers, old, at);
      if (why !== null) told.set(one.file, refusedOne(one, why));
      else take(one, accepted, told, at);
    }
  }
  const kept = (old?.lists ?? []).filter(
    ({ country }) => !accepted.has(country) && pointers.some((one) => one.country === country),
  );
  const inForce = found.map(({ file }) => told.get(file)).filter((one) => one !== undefined);
  return {
    lists: inForce.map((one) => sayKept(one, kept)),
    snapshot: chosen === null || isOlder ? null : snapshotOf(chosen.read, accepted, kept, at),
  };
}

function refusal(
  read: ReadList,
  pointers: readonly Pointer[],
  old: TrustSnapshot | null,
  at: number,
): string | null {
  const fault = faultOf(read, at);
  if (fault !== null) return fault;
  const own = pointers.filter(({ country }) => country === read.country);
  if (own.length === 0) return `no list of lists that is trusted names a list of ${read.country}`;
  if (!own.some(({ signers }) => signers.includes(read.signerDigest)))
    return `it is signed by ${signerName(read)}, whom the list of lists does not name for ${read.country}`;
  const inForce = old?.lists.find(({ country }) => country === read.country);
  return inForce !== undefined && read.sequence < inForce.sequence
    ? `number ${inForce.sequence} is in force, and newer`
    : null;
}

/** The newest of several lists of one country is used. */
function take(
  one: Readable,
  accepted: Map<string, Readable>,
  told: Map<string, TakenList>,
  at: number,
): void {
  const { file, read } = one;
  const row = { file, country: read.country, state: 'accepted' } as const;
  const other = accepted.get(read.country);
  if (other !== undefined && !isNewer(read, other.read))
    told.set(file, { ...row, why: replaced(other, read) });
  else {
    if (other !== undefined)
      told.set(other.file, { ...row, file: other.file, why: replaced(one, other.read) });
    accepted.set(read.country, one);
    told.set(file, { ...row, why: overdue(read, at) });
  }
}

const replaced = (used: Readable, { digest }: ReadList): string =>
  used.read.digest === digest
    ? `${used.file} is the same list, and is used`
    : `${used.file} is newer, and is used`;

function sayKept(one: TakenList, kept: TrustSnapshot['lists']): TakenList {
  const stays = one.state === 'refused' ? kept.find(({ country }) => country === one.country) : undefined;
  return stays === undefined
    ? one
    : { ...one, why: `${one.why}; number ${stays.sequence} of ${stays.issued.slice(0, 10)} stays in force` };
}

const iso = (time: number): string => new Date(time).toISOString();

const editionOf = ({ country, sequence, issued, nextUpdate, digest }: ReadList) => ({
  country,
  sequence,
  issued: iso(issued),
  nextUpdate: nextUpdate === null ? null : iso(nextUpdate),
  digest,
});

function snapshotOf(
  lotl: ReadList,
  accepted: ReadonlyMap<string, Readable>,
  kept: TrustSnapshot['lists'],
  at: number,
): TrustSnapshot {
  const lists = [
    ...[...accepted.values()].map(({ read }) => ({ ...editionOf(read), services: [...read.services] })),
    ...kept,
  ].sort((a, b) => (a.country < b.country ? -1 : 1));
  return {
    type: 'sandgate-trust-list',
    version: 1,
    madeAt: iso(at),
    listOfLists: editionOf(lotl),
    lists,
  };
}
