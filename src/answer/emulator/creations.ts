/** The common parts of creating a consent, a payment or an authorisation: the SCA approach and the links. */
import type { Answer, Call, HeaderList } from '../../exchange/index.js';
import type { Dialect, ScaApproach } from '../../spec/index.js';
import { refuse } from '../answer-refusal.js';
import { answerJson } from '../render.js';
import { href, type Links } from './links.js';
import type { Misstep } from './sca-input.js';
import { hasSteps, type ScaAuthorisation, scaMembers, stepLinkOf } from './sca-steps.js';

/** The thing that a PSU authorises, with the parameters of its path. */
export interface Subject {
  readonly of: 'consent' | 'payment' | 'cancellation';
  readonly params: Readonly<Record<string, string>>;
}

const OPERATIONS_OF = {
  consent: {
    self: 'consents.read',
    status: 'consents.status',
    start: 'consents.authorisations.list',
    one: 'consents.authorisations.read',
  },
  payment: {
    self: 'payments.read',
    status: 'payments.status',
    start: 'payments.authorisations.list',
    one: 'payments.authorisations.read',
  },
  cancellation: {
    self: 'payments.read',
    status: 'payments.status',
    start: 'payments.cancellation-authorisations.list',
    one: 'payments.cancellation-authorisations.read',
  },
} as const;

const APPROACH_NAMES = {
  oauth: 'REDIRECT',
  redirect: 'REDIRECT',
  decoupled: 'DECOUPLED',
  embedded: 'EMBEDDED',
} as const satisfies Record<ScaApproach, string>;

export const approachHeader = (approach: ScaApproach) =>
  ['ASPSP-SCA-Approach', APPROACH_NAMES[approach]] as const;

/** The approach that the TPP prefers among those that the bank offers (reading `sca-approach`). */
export function approachOf(
  { approaches, templates, authorisesByScope }: Dialect,
  { header }: Call,
): ScaApproach {
  // The page has to know the authorisation, by its address or by the scope.
  const hasPage =
    authorisesByScope || templates.get('oauth.authorize')?.includes('{authorisationId}') === true;
  const offered = [...approaches].filter((one) => one !== 'oauth' || hasPage);
  const redirect = header['tpp-redirect-preferred'];
  const preferred: readonly ScaApproach[] =
    header['tpp-decoupled-preferred'] === 'true'
      ? ['decoupled']
      : redirect === 'true'
        ? ['redirect', 'oauth']
        : redirect === 'false'
          ? ['embedded', 'decoupled']
          : [];
  return offered.find((one) => preferred.includes(one)) ?? offered[0] ?? 'oauth';
}

/** The links by which a creation with an authorisation leads on; the first is the standard's. */
const CREDENTIAL_LINKS = [
  'updatePsuIdentification',
  'updatePsuAuthentication',
  'updateEncryptedPsuAuthentication',
];
const IMPLICIT_LINKS = {
  oauth: ['scaOAuth', 'scaRedirect'],
  redirect: ['scaRedirect', 'scaOAuth'],
  decoupled: CREDENTIAL_LINKS,
  embedded: CREDENTIAL_LINKS,
} as const satisfies Record<ScaApproach, readonly string[]>;

const PLAIN = ['startAuthorisation'];
const IDENTIFIED = ['startAuthorisationWithPsuIdentification'];
const AUTHENTICATED = [
  'startAuthorisationWithPsuAuthentication',
  'startAuthorisationWithEncryptedPsuAuthentication',
];

/** The links by which a creation without one leads on, with a PSU-ID in the call and without. */
const START_LINKS = {
  oauth: { known: [...PLAIN, ...IDENTIFIED], unknown: [...PLAIN, ...IDENTIFIED] },
  redirect: { known: [...PLAIN, ...IDENTIFIED], unknown: [...PLAIN, ...IDENTIFIED] },
  decoupled: {
    known: [...PLAIN, ...IDENTIFIED, ...AUTHENTICATED],
    unknown: [...IDENTIFIED, ...AUTHENTICATED, ...PLAIN],
  },
  embedded: {
    known: [...AUTHENTICATED, ...IDENTIFIED, ...PLAIN],
    unknown: [...IDENTIFIED, ...AUTHENTICATED, ...PLAIN],
  },
} as const satisfies Record<ScaApproach, unknown>;

const namesPsu = ({ header }: Call): boolean => (header['psu-id'] ?? '') !== '';

/** Whether the TPP starts the authorisation itself (readings `implicit-by-default`, `sca-start`). */
export function isExplicit(call: Call, { profile }: Dialect, approach: ScaApproach): boolean {
  const { implicit, explicit } = profile?.sca?.links ?? {};
  if (explicit === undefined ? implicit !== undefined : explicit.length === 0) return false;
  const leadsOn = implicit?.some((name) => IMPLICIT_LINKS[approach].some((own) => own === name));
  const goesOnAlone = approach === 'decoupled' && namesPsu(call);
  const byStandard = explicit === undefined && (approach === 'oauth' || approach === 'redirect');
  const isOffered = goesOnAlone || (leadsOn ?? byStandard);
  return !isOffered || call.header['tpp-explicit-authorisation-preferred'] === 'true';
}

/** None will come: they are of instant payments, which are not among the products, and of the simulation (§Events 3). */
export function notificationSupport(call: Call): HeaderList {
  return call.header['tpp-notification-uri'] === undefined ? [] : [['ASPSP-Notification-Support', 'false']];
}

export const selfOf = (links: Links, { of, params }: Subject): string =>
  links.to(OPERATIONS_OF[of].self, params);

/** Links in the answer to a creation. `authorisation`: the one created with it; null if the TPP starts one. */
export function creationLinks(
  links: Links,
  call: Call,
  subject: Subject,
  authorisation: ScaAuthorisation | ScaApproach,
) {
  const start =
    typeof authorisation === 'string'
      ? startLink(links, call, subject, authorisation)
      : authorisationLinks(links, subject, authorisation);
  return { ...start, ...ownLinks(links, subject) };
}

export function ownLinks(links: Links, subject: Subject) {
  const { status } = OPERATIONS_OF[subject.of];
  return { self: href(selfOf(links, subject)), status: href(links.to(status, subject.params)) };
}

function startLink(links: Links, call: Call, { of, params }: Subject, approach: ScaApproach) {
  const names = START_LINKS[approach][namesPsu(call) ? 'known' : 'unknown'];
  const { implicit = [], explicit = [] } = links.dialect.profile?.sca?.links ?? {};
  const name = spokenName(names, [...explicit, ...implicit]);
  return { [name]: href(links.to(OPERATIONS_OF[of].start, params)) };
}

/** The links of an authorisation: where it leads on, and to its status. */
export function authorisationLinks(links: Links, { of, params }: Subject, authorisation: ScaAuthorisation) {
  const { id, approach } = authorisation;
  const scaStatus = href(links.to(OPERATIONS_OF[of].one, { ...params, authorisationId: id }));
  const spoken = links.dialect.profile?.sca?.links?.implicit;
  if (!hasSteps(approach)) {
    // After the pages, only the confirmation is left.
    if (authorisation.status !== 'received')
      return { ...(stepLinkOf(authorisation) === null ? {} : { confirmation: scaStatus }), scaStatus };
    const to = approach === 'oauth' ? links.scaOAuth(id) : links.scaRedirect(id);
    const confirmation = approach === 'redirect' && links.dialect.confirms ? { confirmation: scaStatus } : {};
    return { [spokenName(IMPLICIT_LINKS[approach], spoken)]: href(to), ...confirmation, scaStatus };
  }
  const next = stepLinkOf(authorisation);
  return next === null ? { scaStatus } : { [spokenName(next, spoken)]: scaStatus, scaStatus };
}

/** The first of these names that the bank speaks; the standard's where it speaks none. */
function spokenName(names: readonly string[], spoken: readonly string[] = []): string {
  return names.find((name) => spoken.includes(name)) ?? names[0] ?? 'scaStatus';
}

/** The answer to the start of an authorisation. */
export function answerStart(links: Links, call: Call, subject: Subject, shown: ShownSca): Answer {
  const { authorisation, psuMessage } = shown;
  const value = {
    scaStatus: authorisation.status,
    authorisationId: authorisation.id,
    ...scaMembers(authorisation, links.dialect, psuMessage),
    _links: authorisationLinks(links, subject, authorisation),
  };
  return answerJson(call, 'emulator', 201, value, [approachHeader(authorisation.approach)]);
}

/** The answer to a step of one. */
export function answerStep(links: Links, call: Call, subject: Subject, shown: ShownSca): Answer {
  const { authorisation, psuMessage, reason } = shown;
  const value = {
    scaStatus: authorisation.status,
    ...scaMembers(authorisation, links.dialect, psuMessage),
    ...(reason === undefined ? {} : { psuMessage: reason }),
    _links: authorisationLinks(links, subject, authorisation),
  };
  return answerJson(call, 'emulator', 200, value, [approachHeader(authorisation.approach)]);
}

export interface ShownSca {
  readonly authorisation: ScaAuthorisation;
  /** Tells the PSU to confirm it, if the bank asks the PSU itself. */
  readonly psuMessage: string;
  /** Why it did not succeed. */
  readonly reason?: string | undefined;
}

/** Members of the answer to a creation that tell of its authorisation. */
export function creationMembers(links: Links, { authorisation, psuMessage }: ShownSca) {
  if (!hasSteps(authorisation.approach)) return {};
  return { scaStatus: authorisation.status, ...scaMembers(authorisation, links.dialect, psuMessage) };
}

export const refuseStep = (call: Call, misstep: Misstep): Answer => refuse(call, misstep.code, misstep);
