/**
 * The register of payment and e-money institutions of the EBA, as its download has it: lists of entities with properties,
 * and services by country. It has no banks, and no legal force: what it says is a fact beside the verdicts, and refuses nobody.
 */
import { hash } from 'node:crypto';
import * as z from 'zod';
import { SandgateError } from '../spec/index.js';
import { printable } from './der.js';
import type { CertificateFacts } from './facts.js';

export interface Register {
  /** SHA-256 of the file, hex. */
  readonly digest: string;
  /** By authority and number, as an organizationIdentifier has them. */
  readonly entries: ReadonlyMap<string, readonly Entry[]>;
}

const textOrTexts = z.union([z.string(), z.array(z.string())]).transform((value) => [value].flat());
const entity = z.object({
  CA_OwnerID: z.string(),
  EntityType: z.string(),
  Properties: z.array(z.record(z.string(), z.unknown())),
  Services: z.array(z.record(z.string(), textOrTexts)).default([]),
});

interface Entry {
  readonly name: string;
  /** Days on which it was authorised, and no longer, in turns. */
  readonly dates: readonly string[];
  /** Countries, sorted. */
  readonly services: Readonly<Record<'PSP_AI' | 'PSP_PI', readonly string[]>>;
}

/** Annex I of PSD2: account information and payment initiation. The register has none for funds confirmation. */
const CODES = { PSP_AI: 'PS_080', PSP_PI: 'PS_070' } as const;

const COUNTRY = /^[A-Z]{2}$/;

/** Authorities write numbers with blanks, dots and hyphens, or without. */
const keyOf = (authority: string, number: string): string =>
  [authority, number].map((one) => one.toUpperCase().replace(/[^A-Z0-9]/g, '')).join(' ');

/** @throws SandgateError where the file holds no entity that is authorised by itself */
export function openRegister(bytes: Uint8Array, file: string): Register {
  const entries = new Map<string, Entry[]>();
  for (const object of outerObjects(bytes)) {
    // Agents and branches, which are nineteen of twenty, are authorised by others.
    if (!object.includes('"ENT_AUT"')) continue;
    const parsed = entity.safeParse(parsedJson(object));
    if (!parsed.success) throw new SandgateError('register.unreadable', { file }, { cause: parsed.error });
    const { CA_OwnerID: owner, Properties: properties, Services: services } = parsed.data;
    const property = (name: string): string[] => {
      const found = textOrTexts.safeParse(properties.find((one) => name in one)?.[name]);
      return found.success ? found.data : [];
    };
    const countriesOf = (code: string) => [
      ...new Set(
        services.flatMap((one) =>
          Object.keys(one).filter((country) => COUNTRY.test(country) && one[country]?.includes(code)),
        ),
      ),
    ];
    const entry: Entry = {
      name: printable(property('ENT_NAM').at(-1) ?? '').slice(0, 200),
      dates: property('ENT_AUT').map(printable).sort(),
      services: { PSP_AI: countriesOf(CODES.PSP_AI).sort(), PSP_PI: countriesOf(CODES.PSP_PI).sort() },
    };
    for (const number of property('ENT_NAT_REF_COD').slice(0, 1)) {
      const key = keyOf(owner, number);
      entries.set(key, [...(entries.get(key) ?? []), entry]);
    }
  }
  if (entries.size === 0) throw new SandgateError('register.unreadable', { file });
  return { digest: hash('sha256', bytes, 'hex'), entries };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const [QUOTE, BACKSLASH, OPEN, CLOSE] = [0x22, 0x5c, 0x7b, 0x7d];

/** Each object that is in no other one: the whole of 300,000 parsed at once would take a gigabyte. */
function* outerObjects(bytes: Uint8Array): Generator<string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let depth = 0;
  let start = 0;
  for (let at = 0; at < buffer.length; at++) {
    const byte = buffer[at];
    if (byte === QUOTE) at = endOfText(buffer, at);
    else if (byte === OPEN) {
      if (depth === 0) start = at;
      depth++;
    } else if (byte === CLOSE && --depth === 0) yield buffer.toString('utf8', start, at + 1);
  }
}

function endOfText(buffer: Buffer, from: number): number {
  for (let at = from + 1; at < buffer.length; at++) {
    if (buffer[at] === BACKSLASH) at++;
    else if (buffer[at] === QUOTE) return at;
  }
  return buffer.length;
}

/** The entry of the organisation of a certificate at a time (epoch ms), in words. */
export function registerWords(
  { organizationIdentifier: id }: Pick<CertificateFacts, 'organizationIdentifier'>,
  { entries, digest }: Register,
  now: number,
): string {
  const register = `the EBA register (${digest.slice(0, 12)})`;
  if (id?.scheme !== 'PSD' || id.number === null)
    return `not looked up in ${register}: the certificate has no PSD identifier`;
  const found = entries.get(keyOf(`${id.country}_${id.authority}`, id.number));
  if (found === undefined) return `not found in ${register}, which has no banks`;
  return `${found.map((entry) => entryWords(entry, now)).join('; ')}, by ${register}`;
}

function entryWords({ name, dates, services }: Entry, now: number): string {
  const past = dates.filter((date) => Date.parse(date) <= now);
  const last = past.at(-1);
  const state = past.length % 2 === 1 ? 'authorised' : past.length === 0 ? 'not authorised yet' : 'withdrawn';
  const roles = Object.entries(services).map(
    ([role, countries]) => `${role} ${countries.length === 0 ? 'nowhere' : `in ${countries.join(' ')}`}`,
  );
  return `${name}: ${state}${last === undefined ? '' : ` since ${last}`}, ${roles.join(', ')}`;
}
