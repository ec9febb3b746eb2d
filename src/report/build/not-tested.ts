/** The list of everything that never happened in a recording, in few sentences, and why that matters. */
import { RULE_FAMILIES } from '../../rules/index.js';
import { counted } from '../../spec/index.js';
import type { Answerer, NotTested, Report } from '../model.js';

type Operations = Report['coverage']['operations'];

interface GroupRow {
  readonly group: string;
  readonly title: string;
  /** Without it no TPP may call any of them. */
  readonly role: string | null;
  readonly why: string;
}

const GROUPS: readonly GroupRow[] = [
  {
    group: 'consents',
    title: 'consents',
    role: 'PSP_AI',
    why: 'A consent that was never read or revoked here may not be when a customer asks for it.',
  },
  {
    group: 'oauth',
    title: 'authorisation',
    role: null,
    why: 'Without these no customer comes to the bank and back.',
  },
  {
    group: 'accounts',
    title: 'account information',
    role: 'PSP_AI',
    why: 'What was never read here may be misread when a customer looks at it.',
  },
  {
    group: 'payments',
    title: 'payments',
    role: 'PSP_PI',
    why: 'Money is at stake: a payment that was never followed or cancelled here may be told wrongly.',
  },
  {
    group: 'funds-confirmations',
    title: 'confirmation of funds',
    role: 'PSP_IC',
    why: 'A payment by card would rest on an answer that was never seen.',
  },
];

/** Operations that were never called, but for those that none of the roles allows; no role: nobody's are known. */
export function untriedByGroup(operations: Operations, roles: ReadonlySet<string>) {
  return GROUPS.map((one) => ({
    ...one,
    rows: operations.filter(({ group, calls }) => group === one.group && calls === 0),
  })).filter(({ role, rows }) => rows.length > 0 && (role === null || roles.size === 0 || roles.has(role)));
}

const MOST_NAMED = 6;

/** `Deletes the consent; Returns the consent, and 2 more` */
export function operationsText(rows: Operations): string {
  const named = rows.slice(0, MOST_NAMED).map(({ summary }) => summary);
  const more = rows.length - named.length;
  return `${named.join('; ')}${more === 0 ? '' : `, and ${more} more`}`;
}

type Parts = Pick<Report, 'coverage' | 'tpps'> & { readonly answerer: Answerer };

export function listNotTested(parts: Parts): NotTested[] {
  const { coverage, tpps, answerer } = parts;
  const roles = new Set(tpps.flatMap((tpp) => tpp.roles));
  return [
    ...(answerer === 'bank' || answerer === 'several' ? [] : [NO_BANK]),
    ...untriedByGroup(coverage.operations, roles).map(
      ({ title, why, rows }): NotTested => ({
        area: 'operations',
        what: `Never called, ${title}: ${operationsText(rows)}.`,
        why,
      }),
    ),
    ...authorisations(coverage),
    ...errors(coverage),
    ...rules(coverage),
  ];
}

const NO_BANK: NotTested = {
  area: 'bank',
  what: 'No bank answered.',
  why: 'An emulator or a replay follows the specification where a bank may deviate from it.',
};

type Coverage = Report['coverage'];

function authorisations({ scenarios, statuses, authorisation, rules }: Coverage): NotTested[] {
  const never = scenarios.filter(({ count }) => count === 0);
  const isPlayed = never.length < scenarios.length;
  const isEver = (...names: string[]) =>
    statuses.some(({ status, count }) => names.includes(status) && count > 0);
  const isRenewed = rules.some(
    ({ rule, complied, violated }) => rule === 'oauth/refresh-within-90-days' && complied + violated > 0,
  );
  const rows: readonly (readonly [isMissing: boolean, what: string, why: string])[] = [
    [
      isPlayed && never.length > 0,
      `Ways in which a customer’s authorisation can end that never came: ${never.map(({ meaning }) => meaning).join('; ')}.`,
      'Customers cancel, wait too long and mistype: the application must say what happened, and offer a new start.',
    ],
    [
      !isPlayed && !isEver('failed', 'rejected', 'RJCT'),
      'No customer refused an authorisation, and none failed.',
      'Customers cancel, wait too long and mistype: the application must say what happened, and offer a new start.',
    ],
    [
      authorisation.implicit === 0,
      'No authorisation was started by the creation of its consent or payment (implicit).',
      'A bank may start it so although the application asks for the other way.',
    ],
    [
      authorisation.explicit === 0,
      'No authorisation was started by a call of its own (explicit).',
      'A bank may ask for it, and the link to follow is then another one.',
    ],
    [
      !isRenewed,
      'No access token was renewed.',
      'A token lives for minutes or hours: without its renewal the customer must authorise again.',
    ],
  ];
  return rowsOf('authorisation', rows);
}

function errors({ operations }: Coverage): NotTested[] {
  const sum = (outcome: 'serverError' | 'none' | 'clientError' | 'refused') =>
    operations.reduce((all, { outcomes }) => all + outcomes[outcome], 0);
  const isLimited = operations.some(({ statuses }) => statuses.some(({ value }) => value === '429'));
  return rowsOf('errors', [
    [
      sum('serverError') + sum('none') === 0,
      'Nothing failed on the other side: no answer was missing, and none told of an error there.',
      'Banks do fail, and a payment whose answer got lost may have been made.',
    ],
    [
      sum('clientError') + sum('refused') === 0,
      'No call was refused.',
      'How the application tells a customer that the bank refused was never seen.',
    ],
    [
      !isLimited,
      'The daily limit of reads without the customer was never reached.',
      'At the limit the bank refuses until the next day, and the application must wait and say so.',
    ],
  ]);
}

const rowsOf = (
  area: NotTested['area'],
  rows: readonly (readonly [isMissing: boolean, what: string, why: string])[],
): NotTested[] => rows.filter(([isMissing]) => isMissing).map(([, what, why]) => ({ area, what, why }));

const FAMILIES: Readonly<Record<(typeof RULE_FAMILIES)[number], string>> = {
  certificate: 'certificates',
  signature: 'signatures',
  requests: 'the form of calls',
  consents: 'consents',
  oauth: 'authorisation and tokens',
  accounts: 'access to accounts',
  payments: 'payments',
  funds: 'confirmation of funds',
  notifications: 'notifications',
  answers: 'answers',
};

/** By family: which were not tested at all, and which only in part. */
function rules({ rules: rows }: Coverage): NotTested[] {
  const isUntested = ({ outcome }: Coverage['rules'][number]) => outcome === 'never-exercised';
  const families = RULE_FAMILIES.map((family) => {
    const of = rows.filter(({ rule, outcome }) => rule.startsWith(`${family}/`) && outcome !== 'off');
    return { title: FAMILIES[family], all: of.length, untested: of.filter(isUntested).length };
  }).filter(({ untested }) => untested > 0);
  const whole = families.filter(({ all, untested }) => untested === all);
  const part = families.filter(({ all, untested }) => untested < all);
  const unseen = rows.filter(({ outcome }) => outcome === 'not-observed').length;
  return rowsOf('rules', [
    [
      whole.length > 0,
      `Nothing was tested about ${whole.map(({ title }) => title).join(', ')}.`,
      'The verdict says nothing about these.',
    ],
    [
      part.length > 0,
      `Rules that applied to no call: ${part.map(({ title, all, untested }) => `${untested} of ${all} about ${title}`).join(', ')}.`,
      'The verdict rests on the others alone; the list of rules names each.',
    ],
    [
      unseen > 0,
      `${counted(unseen, 'rule')} could not be judged, because the recording does not hold what they need.`,
      'A recording by the gateway itself holds certificates and the connection; an import may not.',
    ],
  ]);
}
