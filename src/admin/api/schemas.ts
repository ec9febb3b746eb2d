/** Schemas that several routes share, and the names by which the description of the API refers to schemas. */
import * as z from 'zod';
import { inPlainWords, SandgateError } from '../../spec/index.js';

/** Gives a schema a name of its own in the description. */
export const named = <S extends z.ZodType>(id: string, schema: S): S => schema.meta({ id });

/** The value that a schema writes, read-only. */
export type Shown<S extends z.ZodType> = Frozen<z.input<S>>;
type Frozen<T> = unknown extends T ? T : { readonly [K in keyof T]: Frozen<T[K]> };

export const time = z.iso.datetime().describe('ISO 8601, UTC.');
export const count = z.int().nonnegative();
export const severity = z.enum(['must', 'should', 'note']);
export const party = z.enum(['tpp', 'aspsp']).describe('Whose fault it is: the TPP’s or the bank’s.');
export const session = z.string().describe('Name of a session; that of calls that name none where absent.');
export const ofSession = z.object({ session: session.optional() });
export const failure = named('Error', z.object({ error: z.string().describe('One sentence.') }));

export function wholeNumber(most: number, fallback: number) {
  const error = `a whole number${most === Number.MAX_SAFE_INTEGER ? '' : ` of ${most} at most`} is expected`;
  return z
    .string()
    .regex(/^\d{1,16}$/, { error })
    .transform(Number)
    .refine((value) => value <= most, { error })
    .default(fallback);
}

/** Throws a SandgateError that says what is wrong with what was sent. */
export function check<S extends z.ZodType>(schema: S, given: unknown): z.output<S> {
  const parsed = schema.safeParse(given, { error: inPlainWords });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => {
    const typed = path.reduce<unknown>(
      (value, name) => (value as Record<PropertyKey, unknown>)?.[name],
      given,
    );
    const name = path.join('.');
    if (name === '') return message;
    return typeof typed === 'string' ? `${name}=${typed.slice(0, 100)}: ${message}` : `${name}: ${message}`;
  });
  throw new SandgateError('config.invalid', { problems: problems.join('; ') });
}

export const change = z.object({
  part: z.enum(['server certificate', 'trust', 'certificates for the bank', 'rules', 'routes']),
  says: z.string().describe('What is different now.'),
});

export const settings = named(
  'Settings',
  z.object({
    source: z.string().describe('Who answers: `emulator`, `upstream`, `replay`, or a chain of them.'),
    stance: z.enum(['enforce', 'observe']),
    profile: z.enum(['sandbox', 'production']),
    bank: z.enum(['sandbox', 'living']),
    scaLink: z.enum(['by-profile', 'discovery', 'direct']).describe('What a `scaOAuth` link is.'),
    stances: z
      .array(
        z.object({
          stance: z.enum(['enforce', 'observe']),
          match: z.object({ operation: z.string(), tpp: z.string(), path: z.string() }).partial(),
        }),
      )
      .describe('Another stance for some calls; the first entry that fits counts.'),
  }),
);

export const clock = named(
  'Clock',
  z.object({
    now: time,
    mode: z.enum(['real', 'frozen', 'running']),
    speed: z.string().describe('How much of that time passes in a time of the machine: `1`, `1d/1s`.'),
  }),
);

const LONGEST_TARGET = 8_000;
const MOST_BODY = 1_000_000;
export const resend = named(
  'Resend',
  z.strictObject({
    certificate: z
      .string()
      .max(200)
      .nullable()
      .optional()
      .describe(
        'Of the folder of certificates, by its name; null: none is shown. Otherwise one that says what the recorded one said.',
      ),
    method: z
      .string()
      .regex(/^[A-Za-z]{1,20}$/, { error: 'a method is expected' })
      .optional(),
    target: z
      .string()
      .max(LONGEST_TARGET)
      .regex(/^\/[!-~]*$/, { error: 'a path with its query is expected, as it stands in a request' })
      .optional(),
    headers: z
      .record(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/), z.string().max(16_384).nullable())
      .optional()
      .describe(
        'Put over those recorded; null takes one away. Secrets, which no recording holds, are to be given here.',
      ),
    body: z.string().max(MOST_BODY).nullable().optional(),
  }),
);
