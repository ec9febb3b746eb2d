/** Answers that are not what the interface says. */
import * as z from 'zod';
import type { Answered } from '../../answer/index.js';
import { isObject } from '../../exchange/index.js';
import { mapMembers, withHeader, withJson, withPage, withText } from '../answers.js';
import { callKind, type Effect, type Kind, type Met } from '../kind.js';

const name = z.string().regex(/^[A-Za-z_][\w-]{0,99}$/, { error: 'the name of a member is expected' });

/** A kind that changes the JSON of an answer. */
const ofJson = <P extends object>(
  says: string,
  takes: z.ZodType<P>,
  change: (value: unknown, given: P) => unknown,
): Kind =>
  callKind<P>({
    family: 'content',
    says,
    takes,
    meets: () => true,
    after: ({ given }: Met<P>, { answer }: Answered): Effect | undefined => {
      const changed = withJson(answer, (value) => change(value, given));
      return changed === undefined ? undefined : { answer: changed };
    },
  });

const OTHER = { null: null, empty: '', number: 1, list: [], object: {} } as const;
const DATE_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?:Z|[+-]\d\d:?\d\d)$/;
const STATUS = /^(?:consentStatus|transactionStatus|scaStatus|status)$/;

export const CONTENT: Readonly<Record<string, Kind>> = {
  truncate: callKind({
    family: 'content',
    says: 'The body ends in the middle, with a matching length: incomplete JSON.',
    takes: z.strictObject({}),
    meets: () => true,
    after: (_, { answer }) => {
      const text = answer.body?.text ?? '';
      if (text.length < 2 || answer.body?.base64 === true) return undefined;
      return { answer: withText(answer, text.slice(0, Math.floor(text.length / 2))) };
    },
  }),
  html: callKind({
    family: 'content',
    says: 'An HTML page with the status of the answer, where JSON is expected.',
    takes: z.strictObject({}),
    meets: ({ listener }) => listener === 'api',
    after: (_, { answer }) =>
      answer.body === null ? undefined : { answer: withPage(answer, 'Online banking') },
  }),
  'media-type': callKind({
    family: 'content',
    says: 'The right body under another Content-Type (`type`).',
    takes: z.strictObject({
      type: z
        .string()
        .regex(/^[\w.+-]+\/[\w.+-]+(?:; ?[\w-]+=[\w-]+)?$/, { error: 'a media type is expected' })
        .default('text/plain'),
    }),
    meets: () => true,
    after: ({ given }, { answer }) =>
      answer.body === null
        ? undefined
        : {
            answer: answer.with(withHeader(answer.headers, 'Content-Type', given.type), answer.body),
          },
  }),
  numbers: ofJson('Amounts are JSON numbers: 12.5 for "12.50".', z.strictObject({}), (value) =>
    mapMembers(value, (member, one) =>
      member === 'amount' && typeof one === 'string' && Number.isFinite(Number(one)) ? Number(one) : one,
    ),
  ),
  'no-offset': ofJson('Times have no offset from UTC.', z.strictObject({}), (value) =>
    mapMembers(value, (_, one) => (typeof one === 'string' ? one.replace(DATE_TIME, '$1') : one)),
  ),
  member: ofJson(
    'Each `member` of this name is left out (`to`: absent), or becomes null, empty, a number, list or object.',
    z.strictObject({
      member: name,
      to: z.enum(['absent', 'null', 'empty', 'number', 'list', 'object']).default('absent'),
    }),
    (value, { member, to }) =>
      mapMembers(value, (one, held) => (one !== member ? held : to === 'absent' ? undefined : OTHER[to])),
  ),
  'unknown-member': ofJson(
    'Each object has a `member` that the interface does not know.',
    z.strictObject({ member: name.default('bankExtension') }),
    (value, { member }) => withMember(value, member),
  ),
  'unknown-status': ofJson(
    'Each status is `value`, which the interface does not know.',
    z.strictObject({ value: z.string().min(1).max(40).default('XXXX') }),
    (value, given) =>
      mapMembers(value, (member, one) =>
        STATUS.test(member) && typeof one === 'string' ? given.value : one,
      ),
  ),
};

function withMember(value: unknown, member: string): unknown {
  if (Array.isArray(value)) return value.map((one) => withMember(one, member));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([one, held]) => [one, withMember(held, member)]);
  return { ...Object.fromEntries(members), [member]: 'by the bank' };
}
