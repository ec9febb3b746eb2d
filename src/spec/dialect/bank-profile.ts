/** The schema of a bank profile, which says how the interface of one bank differs from the built-in one. */
import * as z from 'zod';
import { EVERY_OPERATION_ID, type Group, type OperationId, PAYMENT_SERVICES } from '../operations.js';
import { SCA_STEPS } from './sca-steps.js';

const isText = ({ input }: { readonly input?: unknown }) =>
  input === undefined ? 'it is missing; a text is expected' : 'a text is expected';
const words = (most: number) =>
  z.string({ error: isText }).trim().min(1, { error: 'a text is expected' }).max(most);
const name = z
  .string()
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, { error: 'a name of small letters, digits and dashes is expected' })
  .max(64);
const day = z.iso.date({ error: 'a date YYYY-MM-DD is expected' });

/** A path without a slash at its end; '' is none. `{name}` is a part that differs from call to call. */
const path = z
  .string()
  .regex(/^(?:\/(?:[A-Za-z0-9._~-]+|\{[A-Za-z]\w*\}))*$/, {
    error: 'a path such as /xs2a/{tenant} is expected, without a slash at the end',
  })
  .max(300);
const version = z.string().regex(/^(?:[A-Za-z0-9._~-]+(?:\/[A-Za-z0-9._~-]+)*)?$/, {
  error: 'a version such as v1 is expected, or an empty text for none',
});

const GROUPS = [
  'consents',
  'oauth',
  'accounts',
  'payments',
  'funds-confirmations',
  'notifications',
] as const satisfies Group[];
const operation = z.enum(EVERY_OPERATION_ID as [OperationId, ...OperationId[]]);
/** `accounts.list`, or all of a kind: `accounts.*`; `*`: all. */
const operations = z.array(z.string().max(60)).min(1);
const method = z.enum(['GET', 'POST', 'PUT', 'DELETE']);

const paths = z.strictObject({
  base: path.describe('What stands before the version in every path; may be empty.').exactOptional(),
  version: version.describe('The version in the path; empty where there is none.').exactOptional(),
  bases: z
    .partialRecord(z.enum(GROUPS), path)
    .describe('Other bases, by group of operations.')
    .exactOptional(),
  operations: z
    .partialRecord(operation, path.nullable())
    .describe('Whole paths of single operations; null: the bank does not offer it.')
    .exactOptional(),
  offers: z
    .array(operation)
    .describe('Operations of the standard that the built-in interface lacks.')
    .exactOptional(),
  further: z
    .array(
      z.strictObject({
        path,
        methods: z.array(method).min(1),
        says: words(200),
        answers: z
          .record(words(60), words(300))
          .describe(
            'Members of the JSON with which the emulator answers; {oauth.authorize} stands for the address of that operation.',
          )
          .exactOptional(),
      }),
    )
    .describe('What the bank offers beside the standard: recognised, and not judged by its body.')
    .exactOptional(),
  values: z
    .record(z.string(), z.string().regex(/^[A-Za-z0-9._~-]{1,64}$/))
    .describe('Values that the emulator puts for {name} in a base.')
    .exactOptional(),
});

const product = z.strictObject({
  like: z
    .enum(['SCT', 'CBP'])
    .describe('SCT: IBANs and euro. CBP: accounts named in other ways, any currency.'),
  media: z
    .array(z.enum(['application/json', 'application/xml', 'multipart/form-data']))
    .min(1)
    .describe('Media types of its body; XML is pain.001, multipart is pain.001 with JSON beside it.')
    .exactOptional(),
});
const services = z.partialRecord(
  z.enum(PAYMENT_SERVICES),
  z.record(z.string().regex(/^[A-Za-z0-9._~-]{1,64}$/), product),
);

const members = z.strictObject({
  required: z.array(words(100)).exactOptional(),
  optional: z
    .array(words(100))
    .describe('Required by the built-in interface, not by this bank.')
    .exactOptional(),
  values: z
    .record(z.string().max(100), z.array(words(100)).min(1))
    .describe('Values that a member may have beyond those of the standard, such as codes of frequency.')
    .exactOptional(),
});

const sca = z.strictObject({
  approaches: z
    .array(z.enum(['oauth', 'redirect', 'decoupled', 'embedded']))
    .min(1)
    .exactOptional(),
  oauth: z
    .enum(['none', 'before', 'within'])
    .describe('before: a token first, then the consent. within: the token follows from the authorisation.')
    .exactOptional(),
  links: z
    .strictObject({ implicit: z.array(words(60)), explicit: z.array(words(60)) })
    .partial()
    .describe(
      'Links that lead on to the SCA, one of which a creation must have. An empty list: the bank does not offer this way.',
    )
    .exactOptional(),
  steps: z
    .array(z.enum(SCA_STEPS))
    .describe('What the TPP sends by PUT. confirmation: the code that comes with the PSU after a redirect.')
    .exactOptional(),
  methods: z
    .array(z.strictObject({ id: words(50), type: words(20), name: words(50) }))
    .describe('SCA methods that the emulator offers.')
    .exactOptional(),
  exemptBelow: z
    .string()
    .regex(/^\d{1,9}(?:\.\d{1,2})?$/)
    .describe('Payments of a smaller amount need no SCA.')
    .exactOptional(),
});

const access = z.strictObject({
  bearer: z
    .enum(['required', 'optional', 'none'])
    .describe('Whether reads carry an access token.')
    .exactOptional(),
  consent: z
    .enum(['created', 'none'])
    .describe('none: the bank has no consents; the token alone gives access.')
    .exactOptional(),
  boundTo: z
    .enum(['organisation', 'certificate'])
    .describe('What tokens and consents belong to. certificate: with a renewed one, a TPP needs new ones.')
    .exactOptional(),
  scopes: z
    .strictObject({ AIS: z.array(words(200)), PIS: z.array(words(200)), PIIS: z.array(words(200)) })
    .partial()
    .describe('Forms of a scope; {id} stands for the id of the consent or payment.')
    .exactOptional(),
  kinds: z
    .array(words(60))
    .describe('Kinds of access that a consent may ask for, beyond the standard.')
    .exactOptional(),
});

const demand = z.enum(['required', 'optional', 'none']);
const byHeader = z.record(z.string().regex(/^[A-Za-z0-9-]{1,60}$/), operations);

const headers = z.strictObject({
  required: byHeader.describe('Headers that calls must carry, by operation.').exactOptional(),
  optional: byHeader
    .describe('Headers that the built-in interface requires and this bank does not.')
    .exactOptional(),
  forbidden: byHeader.exactOptional(),
  digest: demand.exactOptional(),
  signature: demand.exactOptional(),
});

const byQuery = z.record(z.string().regex(/^[A-Za-z0-9._-]{1,60}$/), operations);
const query = z.strictObject({
  further: byQuery.describe('Query parameters beyond those of the built-in interface.').exactOptional(),
  optional: byQuery
    .describe('Query parameters that the built-in interface requires and this bank does not.')
    .exactOptional(),
});

const oauth = z.strictObject({
  grants: z
    .array(z.enum(['client_credentials']))
    .describe('Grants of the token address beyond authorization_code and refresh_token.')
    .exactOptional(),
  responseTypes: z.array(words(40)).describe('Spellings of response_type beside code.').exactOptional(),
  optional: z
    .array(z.enum(['client_id', 'code_verifier', 'code_challenge', 'state']))
    .describe('Parameters of authorize and token that this bank does without.')
    .exactOptional(),
});

const limits = z.strictObject({
  accesses: z
    .strictObject({
      count: z.enum(['none', 'calendar-day', 'rolling']),
      number: z.int().min(1).max(1000),
      by: z
        .enum(['operation', 'consent'])
        .describe('operation: for each operation and account. consent: all together.'),
      zone: words(60).describe('Time zone of calendar days.'),
    })
    .partial()
    .describe('How accesses without the PSU are counted, whatever the settings say of the daily window.')
    .exactOptional(),
  consentDays: z.int().min(1).max(3650).exactOptional(),
  historyDays: z.int().min(1).max(36_500).exactOptional(),
});

const further = z.array(words(60));
const statuses = z
  .strictObject({ consentStatus: further, transactionStatus: further, scaStatus: further })
  .partial()
  .describe('Further statuses, which are taken for known.');

const severity = z.enum(['must', 'should', 'note', 'off']);
const rule = z.strictObject({ severity, reason: words(500) });

/** Ways in which the emulator can deviate like the bank. */
export const DEVIATION_KINDS = [
  'amounts-as-numbers',
  'date-times-without-offset',
  'no-location',
  'no-request-id',
  'no-self-link',
  'no-links',
  'relative-links',
] as const;
export type DeviationKind = (typeof DEVIATION_KINDS)[number];

const deviation = z.strictObject({
  id: name,
  rule: words(60).describe('The rule of the catalogue that the bank breaks.'),
  operations: operations.exactOptional(),
  place: words(200)
    .describe('Where the finding stands, such as `answer body _links.self`; * stands for any text.')
    .exactOptional(),
  says: words(500),
  sample: words(1000).describe('The deviating part, as it was seen.'),
  source: words(300).exactOptional(),
  emulate: z.enum(DEVIATION_KINDS).describe('The emulator deviates likewise.').exactOptional(),
});

export const bankProfile = z.strictObject({
  $schema: z.string().exactOptional(),
  name,
  title: words(120),
  standard: words(60).describe('Such as Berlin Group 1.3.8.'),
  date: day.describe('When its statements were last looked at.').exactOptional(),
  sources: z
    .array(z.strictObject({ where: words(300), tells: words(500) }))
    .min(1)
    .describe('Where the statements come from.'),
  only: words(300).describe('Said where all is known from one source alone.').exactOptional(),
  paths: paths.exactOptional(),
  services: services.exactOptional(),
  bodies: z.partialRecord(operation, members).exactOptional(),
  sca: sca.exactOptional(),
  access: access.exactOptional(),
  headers: headers.exactOptional(),
  query: query.exactOptional(),
  oauth: oauth.exactOptional(),
  limits: limits.exactOptional(),
  revocation: z
    .enum(['off', 'soft', 'hard'])
    .describe('Whether the bank asks OCSP responders, and refuses what it gets no answer on (hard).')
    .exactOptional(),
  statuses: statuses.exactOptional(),
  codes: z
    .record(z.string().regex(/^[A-Z0-9_]{1,70}$/), z.array(z.int().min(400).max(599)).min(1))
    .describe('Further error codes with their statuses.')
    .exactOptional(),
  links: z.array(words(60)).describe('Further link names.').exactOptional(),
  ibans: z
    .array(z.string().regex(/^[A-Z]{2}[0-9A-Za-z]{3,32}$/))
    .describe('Test IBANs whose check digits are wrong.')
    .exactOptional(),
  rules: z.record(z.string(), rule).describe('Severity of single rules, with the reason.').exactOptional(),
  deviations: z.array(deviation).exactOptional(),
});

export type BankProfile = Readonly<z.infer<typeof bankProfile>>;
export type ScaApproach = NonNullable<NonNullable<BankProfile['sca']>['approaches']>[number];
export type ScaStep = (typeof SCA_STEPS)[number];
export type ScaMethod = NonNullable<NonNullable<BankProfile['sca']>['methods']>[number];
export type Deviation = NonNullable<BankProfile['deviations']>[number];

/** Whether a pattern of a profile (`accounts.list`, `accounts.*`, `*`) names the operation. */
export function namesOperation(pattern: string, id: OperationId): boolean {
  return pattern === id || pattern === '*' || (pattern.endsWith('.*') && id.startsWith(pattern.slice(0, -1)));
}

/** Whether one of several patterns names it. */
export const nameOperation = (patterns: readonly string[], id: OperationId): boolean =>
  patterns.some((pattern) => namesOperation(pattern, id));
