/** Deviations of a bank from its own standard: the emulator makes those that the bank profile says it can. */
import type { Answer, Call } from '../exchange/index.js';
import {
  type BankProfile,
  type DeviationKind,
  isAmount,
  isDateTimeWithOffset,
  nameOperation,
  type OperationId,
} from '../spec/index.js';
import { textBody } from './render.js';

/** A member as the bank sends it; undefined leaves it out. `within`: the member that holds it. */
type ChangeMember = (value: unknown, name: string, within: string) => unknown;

interface Change {
  readonly withoutHeader?: string;
  /** `api`: the origin of the bank. */
  readonly member?: (api: string) => ChangeMember;
}

const CHANGES: Readonly<Record<DeviationKind, Change>> = {
  'amounts-as-numbers': {
    member: () => (value, name) =>
      name === 'amount' && typeof value === 'string' && isAmount(value) ? Number(value) : value,
  },
  'date-times-without-offset': {
    member: () => (value) =>
      typeof value === 'string' && isDateTimeWithOffset(value)
        ? value.replace(/(?:z|[+-]\d\d(?::?\d\d)?)$/i, '')
        : value,
  },
  'no-location': { withoutHeader: 'location' },
  'no-request-id': { withoutHeader: 'x-request-id' },
  'no-self-link': {
    member: () => (value, name, within) => (name === 'self' && within === '_links' ? undefined : value),
  },
  'no-links': { member: () => (value, name) => (name === '_links' ? undefined : value) },
  'relative-links': {
    member: (api) => (value, name) =>
      name === 'href' && typeof value === 'string' && value.startsWith(`${api}/`)
        ? value.slice(api.length)
        : value,
  },
};

export type Deviate = (call: Call, answer: Answer) => Answer;

/** `api`: the origin of the bank, known once it listens. */
export function createDeviations(profile: BankProfile | undefined, api: () => string): Deviate {
  const emulated = (profile?.deviations ?? []).flatMap(({ emulate, operations }) =>
    emulate === undefined ? [] : [{ change: CHANGES[emulate], operations }],
  );
  if (emulated.length === 0) return (_, answer) => answer;
  const changesOf = (operation: OperationId): readonly Change[] =>
    emulated
      .filter(({ operations = ['*'] }) => nameOperation(operations, operation))
      .map(({ change }) => change);
  return ({ operation }, answer) =>
    operation === null
      ? answer
      : changesOf(operation).reduce((made, one) => changed(made, one, api()), answer);
}

function changed(answer: Answer, { withoutHeader, member }: Change, api: string): Answer {
  if (withoutHeader !== undefined)
    return answer.with(
      answer.headers.filter(([name]) => name.toLowerCase() !== withoutHeader),
      answer.body,
    );
  if (member === undefined || answer.content.kind !== 'json') return answer;
  const value = membersChanged(answer.content.value, member(api), '');
  return answer.with(answer.headers, textBody(JSON.stringify(value)));
}

function membersChanged(value: unknown, change: ChangeMember, within: string): unknown {
  if (Array.isArray(value)) return value.map((item) => membersChanged(item, change, within));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const made = change(member, name, within);
      return made === undefined ? [] : [[name, membersChanged(made, change, name)]];
    }),
  );
}
