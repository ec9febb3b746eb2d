/** A bank profile by its name, as reports, doctor and the live page show it. */
import { hash } from 'node:crypto';
import type { BankProfile } from './bank-profile.js';
import type { Dialect } from './dialect.js';
import { BUILT_IN_BANK } from './resolve.js';

export interface NamedProfile {
  readonly name: string;
  readonly title: string;
  /** The beginning of the SHA-256 of what it says; null of the built-in interface. */
  readonly digest: string | null;
}

const SHOWN = 12;

export function namedProfile(profile: BankProfile | undefined): NamedProfile {
  if (profile === undefined) return { name: BUILT_IN_BANK, title: 'The built-in interface', digest: null };
  const { $schema: _, ...says } = profile;
  const digest = hash('sha256', JSON.stringify(says, sorted), 'hex').slice(0, SHOWN);
  return { name: profile.name, title: profile.title, digest };
}

/** Members in one order, so that a profile that was kept elsewhere is the same one. */
const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** `Bank of Sandgate (bank-of-sandgate, 1a2b3c4d5e6f)` */
export const profileText = ({ name, title, digest }: NamedProfile): string =>
  `${title} (${digest === null ? name : `${name}, ${digest}`})`;

export const isSameProfile = (one: BankProfile | undefined, other: BankProfile | undefined): boolean =>
  one === other || namedProfile(one).digest === namedProfile(other).digest;

export const isSameDialect = (one: Dialect, other: Dialect): boolean =>
  one.segment === other.segment && isSameProfile(one.profile, other.profile);
