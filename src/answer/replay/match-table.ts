/** The matching tables: for each preset, how each place of a call is compared. */
import type { Group } from '../../spec/index.js';
import type { Comparison, MatchPreset } from './options.js';

/** A place in a call: `path consentId`, `header authorization`, `form code`, `body access.allPsd2`, `body`. */
export type MatchPlace = 'certificate' | 'body' | `${PlaceKind | 'header'} ${string}`;
export type PlaceKind = 'path' | 'query' | 'form' | 'body';

/** `path *`, `query *` and so on stand for all that are not named; `other query *` for parameters nobody knows. */
export type MatchTable = Readonly<Partial<Record<MatchPlace | 'other query *', Comparison>>>;

export interface PresetRow {
  readonly places: MatchTable;
  readonly groups?: Partial<Readonly<Record<Group, MatchTable>>>;
  /** 1.50 is 1.5, an IBAN may hold blanks, `{}` is no body, an access token is what it gives access to. */
  readonly byMeaning: boolean;
  /** Reads stay within what happened to their consent or payment so far. */
  readonly inOrder: boolean;
}

const all = (as: Comparison, ...places: readonly MatchPlace[]): MatchTable =>
  Object.fromEntries(places.map((place) => [place, as]));

/** New in each run by their nature; that they differ says nothing. */
const RANDOM = {
  ...all('free', 'query state', 'query code_challenge', 'form code_verifier'),
  ...all('ignore', 'header x-request-id'),
  // Choices on the emulator's pages are compared for the whole flow.
  ...all('ignore', 'query choice', 'query scenario', 'query psu', 'query accounts'),
};

/** Values that the bank gave, or that name something at the bank. */
const IDENTIFIERS = {
  ...all('bind', 'path *', 'query scope', 'query authorizationId', 'query entryReferenceFrom'),
  ...all('bind', 'header authorization', 'header consent-id', 'body consentId', 'body paymentId'),
  ...all('bind', 'form code', 'form refresh_token', 'form scope'),
  ...all('equal', 'path paymentService', 'path paymentProduct'),
};

const DATES = {
  ...all('date', 'query dateFrom', 'query dateTo', 'body validUntil', 'body startDate', 'body endDate'),
  ...all('date', 'body requestedExecutionDate', 'body requestedExecutionTime'),
};

/** Names, ports and numbers of the client and its machine. */
const OF_CLIENT = {
  ...all('free', 'query client_id', 'query redirect_uri', 'form client_id', 'form redirect_uri'),
  ...all('free', 'header tpp-redirect-uri', 'header tpp-nok-redirect-uri', 'header tpp-notification-uri'),
  ...all('free', 'body endToEndIdentification', 'body instructionIdentification'),
  ...all('free', 'body paymentInformationIdentification', 'body tppNotificationUri'),
  ...all('ignore', 'query code_challenge_method', 'body password', 'body encryptedPassword'),
  ...all('ignore', 'body scaAuthenticationData', 'body confirmationCode'),
};

export const PRESETS: Readonly<Record<MatchPreset, PresetRow>> = {
  strict: {
    places: {
      certificate: 'equal',
      ...IDENTIFIERS,
      ...DATES,
      ...RANDOM,
      ...all('equal', 'query *', 'header *', 'form *', 'body *'),
      'other query *': 'equal',
    },
    byMeaning: false,
    inOrder: true,
  },
  psd2: {
    places: {
      certificate: 'equal',
      ...IDENTIFIERS,
      ...DATES,
      ...RANDOM,
      ...OF_CLIENT,
      'query *': 'equal',
      'other query *': 'ignore',
      'header accept': 'equal',
      'header psu-ip-address': 'present',
      'header tpp-explicit-authorisation-preferred': 'equal',
      'header *': 'ignore',
      'form grant_type': 'equal',
      'form *': 'ignore',
      'body *': 'equal',
    },
    groups: {
      // Reads of a payment may name it there too, and not all clients do.
      payments: { 'header consent-id': 'ignore' },
    },
    byMeaning: true,
    inOrder: true,
  },
  loose: {
    places: {
      certificate: 'ignore',
      ...IDENTIFIERS,
      ...RANDOM,
      ...OF_CLIENT,
      'query *': 'ignore',
      'query scope': 'free',
      'query bookingStatus': 'equal',
      'other query *': 'ignore',
      'header authorization': 'ignore',
      'header consent-id': 'free',
      'header *': 'ignore',
      'form grant_type': 'equal',
      'form code': 'free',
      'form refresh_token': 'free',
      'form *': 'ignore',
      'body *': 'ignore',
    },
    byMeaning: true,
    inOrder: false,
  },
};

/** Defaults for absent values. */
export const MEANT_WHERE_ABSENT: Readonly<Partial<Record<MatchPlace, string>>> = {
  'query withBalance': 'false',
  'header tpp-explicit-authorisation-preferred': 'false',
};

/** Secret values: they are never shown clear, and a clear one equals its fingerprint. */
export const SECRET_PLACES: ReadonlySet<MatchPlace> = new Set([
  'header authorization',
  'form code',
  'form refresh_token',
  'form code_verifier',
]);

export const GIVERS: Readonly<Partial<Record<MatchPlace, string>>> = {
  'header authorization': 'POST /token',
  'form refresh_token': 'POST /token',
  'form code': 'redirect of an authorization request',
  'header consent-id': 'POST /consents',
  'path consentId': 'POST /consents',
  'path paymentId': 'creation of a payment',
  'path accountId': 'GET /accounts',
  'path authorisationId': 'creation of an authorisation',
  'query authorizationId': 'creation of an authorisation',
  'query scope': 'creation of a consent or payment',
};
