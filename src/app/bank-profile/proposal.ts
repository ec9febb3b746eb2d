/** Single proposals for a bank profile, each with its id, what it is founded on, and the change that it makes. */
import { isObject } from '../../exchange/index.js';
import { type BankProfile, nearestOf, type OperationId, SandgateError } from '../../spec/index.js';
import { parseBankProfile } from '../config/bank-profile.js';

export interface Proposal {
  readonly id: string;
  /** The part of the profile that it would change. */
  readonly part: keyof BankProfile;
  readonly says: string;
  /** Seen in so many calls or answers, of so many in which it could have been. */
  readonly seen: number;
  readonly of: number;
  readonly operations: readonly OperationId[];
  readonly sample: string | null;
  /** Merged into the profile: objects by their members, lists by their entries. */
  readonly change: Readonly<Record<string, unknown>>;
}

/** The profile with the accepted proposals. @throws SandgateError where an id is unknown, or the result not valid */
export function accept(
  profile: BankProfile,
  proposals: readonly Proposal[],
  ids: readonly string[],
  file: string,
): BankProfile {
  const chosen = ids.map((id) => {
    const found = proposals.find((one) => one.id === id);
    if (found !== undefined) return found;
    const nearest = nearestOf(
      id,
      proposals.map((one) => one.id),
    );
    throw new SandgateError('profile.no-proposal', { id: id.slice(0, 100), nearest });
  });
  const whole = chosen.reduce<unknown>((value, { change }) => merged(value, change), profile);
  return parseBankProfile(JSON.stringify(whole, null, 2), file);
}

/** The profile with all proposals that leave it valid, and these. */
export function withFitting(profile: BankProfile, proposals: readonly Proposal[]) {
  const fitting: Proposal[] = [];
  let whole = profile;
  for (const one of proposals) {
    try {
      whole = accept(whole, [one], [one.id], '');
      fitting.push(one);
    } catch (cause) {
      if (!(cause instanceof SandgateError)) throw cause;
    }
  }
  return { profile: whole, proposals: fitting };
}

function merged(value: unknown, change: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(change)) {
    const known = new Set(value.map((one) => JSON.stringify(one)));
    return [...value, ...change.filter((one) => !known.has(JSON.stringify(one)))];
  }
  if (!isObject(value) || !isObject(change)) return change;
  const both = Object.entries(change).map(([name, one]) => [
    name,
    Object.hasOwn(value, name) ? merged(value[name], one) : one,
  ]);
  return { ...value, ...Object.fromEntries(both) };
}
