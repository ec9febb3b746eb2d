/** A bank profile in words, by its parts, and what two profiles differ in. */
import { isObject } from '../exchange/index.js';
import { type BankProfile, operationRow, resolvedProfile } from '../spec/index.js';

type Part = readonly [title: string, lines: (profile: BankProfile) => readonly string[]];

/** A profile in words: the parts that it has, which differ from the built-in interface. */
export function profileInWords(profile: BankProfile): string {
  const { name, title, standard, date, only } = profile;
  const lines = [`${name}: ${title}, ${standard}${date === undefined ? '' : `, as of ${date}`}`];
  if (only !== undefined) lines.push(only);
  for (const [heading, linesOf] of PARTS) {
    const said = linesOf(profile);
    if (said.length > 0) lines.push('', heading, ...said.map((line) => `  ${line}`));
  }
  return `${lines.join('\n')}\n`;
}

const PARTS: readonly Part[] = [
  ['Paths', pathLines],
  ['Payments', serviceLines],
  ['Bodies', bodyLines],
  ['SCA', scaLines],
  ['Access', accessLines],
  ['Headers', headerLines],
  ['Query parameters', queryLines],
  ['OAuth', oauthLines],
  ['Limits', limitLines],
  ['Statuses, codes and links', furtherLines],
  [
    'Rules',
    ({ rules = {} }) =>
      Object.entries(rules).map(([id, { severity, reason }]) => `${id} is ${severity}: ${reason}`),
  ],
  ['Deviations of the bank', deviationLines],
  ['Sources', ({ sources }) => sources.flatMap(({ where, tells }) => [where, `  ${tells}`])],
];

/** `label: a, b`; no line where there is nothing. */
const listed = (label: string, names: readonly string[] | undefined = []): string[] =>
  names.length === 0 ? [] : [`${label}: ${names.join(', ')}`];

function pathLines({ paths = {} }: BankProfile): string[] {
  const { base, version, bases = {}, values = {}, operations = {}, offers, further = [] } = paths;
  const rows = Object.entries(operations) as [keyof typeof operations, string | null][];
  return [
    ...(base === undefined ? [] : [`Base: ${base === '' ? 'none' : base}`]),
    ...Object.entries(bases).map(([group, one]) => `Base of ${group}: ${one === '' ? 'none' : one}`),
    ...listed(
      'The emulator writes',
      Object.entries(values).map(([name, value]) => `${value} for {${name}}`),
    ),
    ...(version === undefined ? [] : [`Version: ${version === '' ? 'none' : version}`]),
    ...rows.flatMap(([id, path]) => (path === null ? [] : [`${id}: ${operationRow(id).method} ${path}`])),
    ...listed(
      'Not offered',
      rows.flatMap(([id, path]) => (path === null ? [id] : [])),
    ),
    ...listed('Also offered', offers),
    ...further.map(({ path, methods, says, answers = {} }) =>
      [
        `Beside the standard: ${methods.join(', ')} ${path}: ${says}`,
        ...Object.entries(answers).map(([name, text]) => `The emulator answers ${name}: ${text}`),
      ].join(' '),
    ),
  ];
}

const MEDIA: Readonly<Record<string, string>> = {
  'application/json': 'JSON',
  'application/xml': 'XML',
  'multipart/form-data': 'multipart',
};

function serviceLines({ services = {} }: BankProfile): string[] {
  return Object.entries(services).flatMap(([service, products]) =>
    listed(
      service,
      Object.entries(products).map(([name, { like, media = ['application/json'] }]) => {
        const forms = media.map((one) => MEDIA[one]).join(', ');
        return `${name} (${forms}${like === 'CBP' ? ', like cross-border payments' : ''})`;
      }),
    ),
  );
}

function bodyLines({ bodies = {} }: BankProfile): string[] {
  return Object.entries(bodies).flatMap(([id, { required, optional, values = {} }]) => [
    ...listed(`${id} requires`, required),
    ...listed(`${id} does not require`, optional),
    ...Object.entries(values).flatMap(([member, more]) => listed(`${member} of ${id} may also be`, more)),
  ]);
}

const OAUTH = {
  none: 'No OAuth.',
  before: 'OAuth comes before: a token first, then the consent or payment.',
  within: 'OAuth is the SCA: the token follows from the authorisation.',
};

function scaLines({ sca = {} }: BankProfile): string[] {
  const { approaches, oauth, links = {}, steps, methods = [], exemptBelow } = sca;
  return [
    ...listed('Approaches', approaches),
    ...(oauth === undefined ? [] : [OAUTH[oauth]]),
    ...listed('Links after an implicit start', links.implicit),
    ...listed('Links before an explicit start', links.explicit),
    ...listed('The TPP sends by PUT', steps),
    ...listed(
      'Methods of the emulator',
      methods.map(({ id, type, name }) => `${name} (${id}, ${type})`),
    ),
    ...(exemptBelow === undefined ? [] : [`Payments below ${exemptBelow} need no SCA.`]),
  ];
}

const BEARER = {
  required: 'Reads need an access token.',
  optional: 'Reads may carry an access token.',
  none: 'Reads carry no access token: certificate and consent are enough.',
};

function accessLines({ access = {} }: BankProfile): string[] {
  const { bearer, consent, boundTo, scopes = {}, kinds } = access;
  return [
    ...(bearer === undefined ? [] : [BEARER[bearer]]),
    ...(consent === 'none' ? ['There are no consents: the token alone gives access.'] : []),
    ...(boundTo === 'certificate'
      ? ['Tokens and consents belong to the certificate: with a renewed one, new ones are needed.']
      : []),
    ...Object.entries(scopes).flatMap(([kind, forms]) => listed(`Scope of ${kind}`, forms)),
    ...listed('Further kinds of access', kinds),
  ];
}

function headerLines({ headers = {} }: BankProfile): string[] {
  const { digest, signature } = headers;
  const labels = { required: 'is required', optional: 'is not required', forbidden: 'is forbidden' } as const;
  const kinds = ['required', 'optional', 'forbidden'] as const;
  return [
    ...kinds.flatMap((kind) =>
      Object.entries(headers[kind] ?? {}).map(
        ([name, operations]) => `${name} ${labels[kind]}: ${operations.join(', ')}`,
      ),
    ),
    ...(digest === undefined ? [] : [`Digest: ${digest}`]),
    ...(signature === undefined ? [] : [`Signature: ${signature}`]),
  ];
}

function queryLines({ query = {} }: BankProfile): string[] {
  return [
    ...Object.entries(query.further ?? {}).map(([name, at]) => `${name} may be given: ${at.join(', ')}`),
    ...Object.entries(query.optional ?? {}).map(([name, at]) => `${name} is not required: ${at.join(', ')}`),
  ];
}

function oauthLines({ oauth = {} }: BankProfile): string[] {
  return [
    ...listed('Further grants', oauth.grants),
    ...listed('Further spellings of response_type', oauth.responseTypes),
    ...listed('Not required', oauth.optional),
  ];
}

const COUNTED = {
  none: 'Accesses without the PSU are not counted.',
  'calendar-day': 'Accesses without the PSU are counted by day',
  rolling: 'Accesses without the PSU are counted over 24 hours',
};

function limitLines({ limits = {} }: BankProfile): string[] {
  const { accesses = {}, consentDays, historyDays } = limits;
  const { count, number, by, zone } = accesses;
  return [
    ...(count === undefined ? [] : [`${COUNTED[count]}${zone === undefined ? '' : ` (${zone})`}`]),
    ...(number === undefined ? [] : [`Accesses allowed: ${number}`]),
    ...(by === undefined
      ? []
      : [
          by === 'consent'
            ? 'All accesses under a consent count together.'
            : 'Each operation and account counts.',
        ]),
    ...(consentDays === undefined ? [] : [`A consent is valid for ${consentDays} days at most.`]),
    ...(historyDays === undefined ? [] : [`Transactions go back ${historyDays} days.`]),
  ];
}

function furtherLines({ statuses = {}, codes = {}, links, ibans }: BankProfile): string[] {
  return [
    ...Object.entries(statuses).flatMap(([member, more]) => listed(`Further ${member}`, more)),
    ...listed(
      'Further codes',
      Object.entries(codes).map(([code, by]) => `${code} (${by.join(', ')})`),
    ),
    ...listed('Further links', links),
    ...listed('Test IBANs with wrong check digits', ibans),
  ];
}

function deviationLines({ deviations = [] }: BankProfile): string[] {
  return deviations.flatMap(({ id, rule, operations, place, says, sample, source, emulate }) => [
    `${id}: ${says}`,
    `  Rule: ${rule}${operations === undefined ? '' : ` (${operations.join(', ')})`}`,
    ...(place === undefined ? [] : [`  Place: ${place}`]),
    `  Sample: ${sample}`,
    ...(source === undefined ? [] : [`  Source: ${source}`]),
    ...(emulate === undefined ? [] : [`  The emulator does the same: ${emulate}`]),
  ]);
}

export interface ProfileDifference {
  readonly place: string;
  /** null: not there. */
  readonly one: string | null;
  readonly other: string | null;
}

/** The places in which two resolved profiles differ. */
export function profileDifferences(
  one: BankProfile | undefined,
  other: BankProfile | undefined,
): ProfileDifference[] {
  const [left, right] = [one, other].map((profile) => new Map(leaves(resolvedProfile(profile), '')));
  const places = new Set([...(left?.keys() ?? []), ...(right?.keys() ?? [])]);
  return [...places].sort().flatMap((place) => {
    const [a, b] = [left?.get(place) ?? null, right?.get(place) ?? null];
    return a === b ? [] : [{ place, one: a, other: b }];
  });
}

/** Members that say who says it, and when: no difference between interfaces. */
const NO_PART = ['$schema', 'name', 'date', 'sources', 'only'];

/** Values by their place. A list of texts is one value, and so is each object in a list, which its first member names. */
function* leaves(value: unknown, place: string): Generator<[string, string]> {
  if (Array.isArray(value) && value.some(isObject)) {
    for (const entry of value) {
      const [key, ...rest] = Object.values(entry);
      yield [`${place} ${key}`, rest.map(String).join('; ')];
    }
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value))
      if (place !== '' || !NO_PART.includes(name))
        yield* leaves(member, place === '' ? name : `${place}.${name}`);
  } else yield [place, (Array.isArray(value) ? value.join(', ') : String(value)) || 'none'];
}
