/** A block: the contents of records that are enciphered together. Equal parts of them stand in it once. */
import type { Content } from './record-codec.js';

export interface Member {
  readonly id: string;
  readonly isBegun: boolean;
  readonly content: Content;
}

export type OpenedBlock = (id: string, isBegun: boolean) => Content | null;

/** A line of JSON in front of the texts says how long each is, and which are whose. */
type Head = readonly [
  lengths: readonly number[],
  members: readonly (readonly [id: string, isBegun: number, ...parts: number[]])[],
];

const ABSENT = -1;

export function writeBlock(members: readonly Member[]): Buffer {
  /** The last of each length: an equal one is nearly always among these. */
  const lately = new Map<number, readonly [part: string, place: number]>();
  const lengths: number[] = [];
  let text = '';
  const placeOf = (part: string | null): number => {
    if (part === null) return ABSENT;
    const [known, place = ABSENT] = lately.get(part.length) ?? [];
    if (known === part) return place;
    lately.set(part.length, [part, lengths.length]);
    text += part;
    return lengths.push(part.length) - 1;
  };
  const placed = members.map(
    ({ id, isBegun, content }) => [id, isBegun ? 1 : 0, ...content.map(placeOf)] as const,
  );
  const head: Head = [lengths, placed];
  return Buffer.from(`${JSON.stringify(head)}\n${text}`);
}

export function readBlock(bytes: Buffer): OpenedBlock {
  const text = bytes.toString();
  let at = text.indexOf('\n') + 1;
  const [lengths, members]: Head = JSON.parse(text.slice(0, at));
  const parts = lengths.map((length) => {
    const from = at;
    at += length;
    return text.slice(from, at);
  });
  const contents = new Map(
    members.map(([id, isBegun, ...places]) => [
      `${isBegun} ${id}`,
      places.map((place) => parts[place] ?? null),
    ]),
  );
  return (id, isBegun) => contents.get(`${isBegun ? 1 : 0} ${id}`) ?? null;
}
