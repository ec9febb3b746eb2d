/** The one table of personal fields in calls and answers. */
import type { Pseudonyms } from './pseudonyms.js';

export type PersonalKind = Exclude<keyof Pseudonyms, 'ibansIn'>;

/** JSON members at any depth, and what they hold. Case, `_` and `-` do not count. */
const FIELDS: Readonly<Record<PersonalKind, readonly string[]>> = {
  iban: ['iban'],
  number: ['bban', 'pan', 'maskedPan', 'msisdn', 'cardNumber', 'identification', 'phoneNumber'],
  name: [
    'name',
    'displayName',
    'ownerName',
    'ownerNames',
    'creditorName',
    'debtorName',
    'ultimateCreditor',
    'ultimateDebtor',
    'ultimateCreditorName',
    'ultimateDebtorName',
    'payee',
    'psuName',
    'psuId',
    'username',
    'login',
    'loginHint',
    'psuCorporateId',
  ],
  text: [
    'remittanceInformationUnstructured',
    'remittanceInformationUnstructuredArray',
    'remittanceInformationStructured',
    'remittanceInformationStructuredArray',
    'reference',
    'additionalInformation',
    'additionalTransactionInformation',
    'addressLine',
    'street',
    'streetName',
    'buildingNumber',
    'town',
    'townName',
    'city',
    'postCode',
    'postalCode',
    'email',
  ],
  place: ['geoLocation', 'psuGeoLocation'],
};

export const PERSONAL_HEADERS: ReadonlyMap<string, PersonalKind> = new Map<string, PersonalKind>([
  ['psu-id', 'name'],
  ['psu-corporate-id', 'name'],
  ['psu-geo-location', 'place'],
]);

const plain = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');
const kinds = new Map<string, PersonalKind>(
  Object.entries(FIELDS).flatMap(([kind, names]) =>
    names.map((name) => [plain(name), kind as PersonalKind] as const),
  ),
);

export function personalKindOf(member: string): PersonalKind | undefined {
  return kinds.get(plain(member));
}
