/** Findings that propose something for a bank profile: its deviations, and where its interface differs. */
import { isObject, memberOf } from '../../exchange/index.js';
import { isPlaceOf, RULES } from '../../rules/index.js';
import {
  type BankProfile,
  type DeviationKind,
  type Dialect,
  type OperationId,
  PAYMENT_SERVICES,
  resolvedProfile,
} from '../../spec/index.js';
import type { RecordedExchange } from '../../store/index.js';
import { slug } from './learn-paths.js';
import type { Proposal } from './proposal.js';

type Found = RecordedExchange['findings'][number];

/** One exchange that speaks for a proposal. */
export interface Sight {
  readonly id: string;
  readonly part: keyof BankProfile;
  /** The rule by whose verdicts it is counted in how many it could have been seen; empty: by calls. */
  readonly counts: string;
  readonly says: string;
  readonly sample?: string | null;
  readonly changeFor: (operations: readonly OperationId[]) => Proposal['change'];
}

/** Ids, account numbers (also in groups), addresses and other long values with digits are hidden; dates and names stay, by which a deviation is seen. */
function masked(text: string): string {
  return text
    .slice(0, 2_000)
    .replaceAll(/[^\s@"]+@[^\s@"]+|\b[A-Z]{2}\d{2}(?: [A-Z\d]{1,4}){3,}|\+?\d(?: ?\d){8,}/g, '…')
    .replaceAll(/[\w=+-]{8,}/g, (word) =>
      /^\d{4}-\d\d-\d\d(?:[TZ+-]\d{0,4})?$/.test(word) || !/(?:\d.*){3}/.test(word) ? word : '…',
    )
    .slice(0, 1_000);
}

const isSuccess = ({ exchange }: RecordedExchange): boolean =>
  exchange.answer !== null && exchange.answer.status >= 200 && exchange.answer.status < 300;

export function* ofFindings(
  record: RecordedExchange,
  operation: OperationId,
  dialect: Dialect,
): Generator<Sight> {
  for (const finding of record.findings) {
    const known = dialect.deviationsOf(finding.rule, operation);
    if (known.some(({ place }) => place === undefined || isPlaceOf(place, finding.place))) continue;
    const special = SPECIAL[finding.rule]?.(finding, record, dialect);
    if (special === null) continue;
    if (special !== undefined) yield special;
    else if (finding.judges === 'aspsp') yield deviation(finding);
    else if (finding.severity === 'must' && isSuccess(record)) yield acceptance(finding);
  }
}

/** undefined: what a finding is by default, a deviation of the bank or something that it accepts. null: nothing is proposed. */
type Special = (finding: Found, record: RecordedExchange, dialect: Dialect) => Sight | undefined | null;

const furtherStatus =
  (member: 'consentStatus' | 'transactionStatus' | 'scaStatus'): Special =>
  ({ rule, actual = '' }) =>
    /^\w{1,60}$/.test(actual)
      ? {
          id: `status-${slug(actual)}`,
          part: 'statuses',
          counts: rule,
          says: `${member} may be ${actual}.`,
          changeFor: () => ({ statuses: { [member]: [actual] } }),
        }
      : undefined;

/** A header that the call lacks, and that the bank did without. */
const freeHeader =
  (name: string): Special =>
  ({ rule, actual }, record) =>
    isSuccess(record) && actual === 'absent'
      ? {
          id: `optional-${slug(name)}`,
          part: 'headers',
          counts: rule,
          says: `The bank answers without ${name}.`,
          changeFor: (operations) => ({ headers: { optional: { [name]: operations } } }),
        }
      : null;

/** Rules whose findings are about the interface of the bank rather than about a mistake. */
const SPECIAL: Readonly<Record<string, Special>> = {
  'answers/consent-status-known': furtherStatus('consentStatus'),
  'answers/payment-status-known': furtherStatus('transactionStatus'),
  'answers/sca-status-known': furtherStatus('scaStatus'),
  'requests/psu-ip-address-present': freeHeader('PSU-IP-Address'),
  'requests/redirect-uri-present': freeHeader('TPP-Redirect-URI'),
  'accounts/token-present': ({ rule, actual }, record) =>
    isSuccess(record) && actual === 'absent'
      ? {
          id: 'reads-without-token',
          part: 'access',
          counts: rule,
          says: 'The bank answers reads without an access token.',
          changeFor: () => ({ access: { bearer: 'optional' } }),
        }
      : null,
  'accounts/consent-id-present': ({ rule, actual }, record) =>
    isSuccess(record) && actual === 'absent'
      ? {
          id: 'reads-without-consent',
          part: 'access',
          counts: rule,
          says: 'The bank answers reads without Consent-ID: the token alone gives access.',
          changeFor: () => ({ access: { consent: 'none' } }),
        }
      : null,
  'payments/periodic-frequency': ({ rule, place, actual = '' }, record) => {
    const [, member, value] = /^body (\w+): "(\w{1,60})"$/.exec(`${place}: ${actual}`) ?? [];
    if (member === undefined || value === undefined || !isSuccess(record)) return null;
    return {
      id: `value-${slug(`${member} ${value}`)}`,
      part: 'bodies',
      counts: rule,
      says: `The bank takes ${value} for ${member}.`,
      changeFor: (operations) => ({
        bodies: Object.fromEntries(operations.map((id) => [id, { values: { [member]: [value] } }])),
      }),
    };
  },
  'payments/product-known': (_, record, dialect) =>
    isSuccess(record) ? furtherProduct(record, dialect) : null,
  'answers/creation-links': ({ place, expected }, { exchange }, dialect) => {
    const links = exchange.answer === null ? [] : Object.keys(linksIn(exchange.answer.content));
    const way = links.find((name) => LEADS_ON.test(name) && !dialect.isFurtherLink(name));
    const isMissed =
      /_links\.(?:sca(?:OAuth|Redirect)|start|update)/.test(place) && expected.startsWith('a link');
    return isMissed && way !== undefined ? wayOn(way) : undefined;
  },
};

const LEADS_ON = /^(?:scaRedirect|scaOAuth|startAuthorisation\w*|updatePsu\w*)$/;

function wayOn(name: string): Sight {
  const kind = name.startsWith('startAuthorisation') ? 'explicit' : 'implicit';
  return {
    id: `leads-on-${slug(name)}`,
    part: 'sca',
    counts: 'answers/creation-links',
    says: `The link ${name} leads on to the SCA.`,
    changeFor: () => ({ sca: { links: { [kind]: [name] } } }),
  };
}

function linksIn(content: {
  readonly kind: string;
  readonly value?: unknown;
}): Readonly<Record<string, unknown>> {
  const links = memberOf(content.value, '_links');
  return isObject(links) ? links : {};
}

function furtherProduct({ exchange: { call } }: RecordedExchange, dialect: Dialect): Sight | null {
  const { paymentService = '', paymentProduct = '' } = call.params;
  const service = PAYMENT_SERVICES.find((one) => one === paymentService);
  if (service === undefined || !/^[\w.~-]{1,64}$/.test(paymentProduct)) return null;
  const { services } = resolvedProfile(dialect.profile);
  const xml = service === 'periodic-payments' ? 'multipart/form-data' : 'application/xml';
  const media = paymentProduct.startsWith('pain.') ? { media: [xml] } : {};
  const like = /cross|target|swift|foreign|international/i.test(paymentProduct) ? 'CBP' : 'SCT';
  return {
    id: `product-${slug(`${service} ${paymentProduct}`)}`,
    part: 'services',
    counts: 'payments/product-known',
    says: `${service} has the product ${paymentProduct}.`,
    // A profile that names services names them all: those that are built in stay.
    changeFor: () => ({
      services: { ...services, [service]: { ...services?.[service], [paymentProduct]: { like, ...media } } },
    }),
  };
}

/** Deviations that the emulator can make as well, by the rule that they break. */
const EMULATED: Readonly<Record<string, DeviationKind>> = {
  'amounts-are-strings-amount': 'amounts-as-numbers',
  'location-present-location': 'no-location',
  'request-id-echoed-x-request-id': 'no-request-id',
  'creation-links-self': 'no-self-link',
};

function deviation({ rule, place, expected, actual }: Found): Sight {
  const [, topic = rule] = rule.split('/');
  const last = place
    .replaceAll(/\[\d*\]/g, '')
    .split(/[ .]/)
    .filter(Boolean);
  // One deviation of all links, of whatever name, but for those that are missed by their names.
  const links = last.indexOf('_links');
  const member = topic !== 'creation-links' && links >= 0 ? 'links' : (last.at(-1) ?? '');
  const id = slug(`${topic} ${member}`);
  // A member stands at several places, and in lists.
  const isOne = topic === 'creation-links' || !/^answer body .*[.[]/.test(place);
  const where = isOne ? place : `answer body *${member === 'links' ? '_links*' : member}`;
  const emulate = topic.startsWith('date-times') ? 'date-times-without-offset' : EMULATED[id];
  const sample = masked(`${place}: ${actual ?? 'absent'}`);
  const says = `Against “${statementOf(rule)}”: expected ${masked(expected)}.`.slice(0, 500);
  return {
    id,
    part: 'deviations',
    counts: rule,
    says,
    sample,
    changeFor: (operations) => ({
      deviations: [
        {
          ...{ id, rule, operations, place: where, says, sample },
          ...(emulate === undefined ? {} : { emulate }),
        },
      ],
    }),
  };
}

/** A mistake by the standard, with which the bank is content: whether it means to be, a person must know. */
function acceptance(finding: Found): Sight {
  const known = deviation(finding);
  const says = `The bank accepts what is against “${statementOf(finding.rule)}”. With this, no TPP is told of it.`;
  const id = `accepts-${known.id}`;
  return {
    ...{ ...known, id, says },
    changeFor: (operations) => ({
      deviations: [{ id, rule: finding.rule, operations, says, sample: known.sample ?? '-' }],
    }),
  };
}

const statementOf = (id: string): string => RULES.find((one) => one.id === id)?.statement ?? id;
