/** The members of a payment in psd2-api 1.3.11 beyond those that a bank needs to execute it: lengths, codes, forms. */
import * as z from 'zod';
import { isBic, isCountry, isCurrency, isDate, isPurposeCode } from './formats.js';

/** The texts that a payee reads, with their greatest lengths in characters. */
export const PAYMENT_TEXTS = [
  ['creditorName', 70],
  ['endToEndIdentification', 35],
  ['remittanceInformationUnstructured', 140],
] as const;

const isWithin = (text: string, most: number): boolean => text.length <= most || [...text].length <= most;

const form = (fits: (text: string) => boolean, error: string) =>
  z.string(error).refine(fits, { error }).optional();
const text = (most: number) => form((value) => isWithin(value, most), `a text of at most ${most} characters`);
const matching = (pattern: RegExp, error: string) => form((value) => pattern.test(value), error);

const account = z
  .looseObject({
    iban: matching(/^[A-Z]{2}\d{2}[A-Za-z0-9]{1,30}$/, 'an IBAN in capitals without spaces'),
    bban: matching(/^[A-Za-z0-9]{1,30}$/, 'at most 30 letters and digits'),
    pan: text(35),
    maskedPan: text(35),
    msisdn: text(35),
    currency: form(isCurrency, 'a currency of ISO 4217'),
    cashAccountType: matching(/^[A-Z0-9]{4}$/, 'a code of ISO 20022, such as CACC'),
  })
  .optional();

const structured = z.union(
  [
    text(140).unwrap(),
    z.looseObject({ reference: text(140).unwrap(), referenceType: text(35), referenceIssuer: text(35) }),
  ],
  { error: 'a reference of at most 140 characters' },
);

/** Forms of a body without null members. */
export const paymentForms = z.looseObject({
  ...Object.fromEntries(PAYMENT_TEXTS.map(([name, most]) => [name, text(most)])),
  debtorAccount: account,
  creditorAccount: account,
  instructionIdentification: text(35),
  debtorName: text(70),
  ultimateDebtor: text(70),
  ultimateCreditor: text(70),
  creditorId: text(35),
  creditorAgent: form(isBic, 'a BIC'),
  creditorAgentName: text(140),
  creditorAddress: z
    .looseObject({
      country: form(isCountry, 'a country of ISO 3166'),
      streetName: text(70),
      buildingNumber: text(20),
      townName: text(140),
      postCode: text(20),
    })
    .optional(),
  purposeCode: form(isPurposeCode, 'a purpose code of ISO 20022, such as SALA'),
  chargeBearer: matching(/^(?:DEBT|CRED|SHAR|SLEV)$/, 'DEBT, CRED, SHAR or SLEV'),
  remittanceInformationUnstructuredArray: z.array(text(140).unwrap()).optional(),
  remittanceInformationStructured: structured.optional(),
  remittanceInformationStructuredArray: z.array(structured).optional(),
});

const date = form(isDate, 'a date YYYY-MM-DD');
const oneOf = <T extends string>(values: readonly T[]) =>
  z.enum(values as readonly [T, ...T[]], { error: `one of ${values.join(', ')}` });

/** Members of a periodic payment (Berlin Group: 31 is the last day of whichever month). */
export const standingOrderForms = z.looseObject({
  startDate: date.unwrap(),
  endDate: date,
  executionRule: oneOf(['following', 'preceding']).optional(),
  frequency: z.string('a text'),
  dayOfExecution: matching(/^(?:[1-9]|[12]\d|3[01])$/, 'a day of the month, from 1 to 31'),
  monthsOfExecution: z
    .array(z.string().regex(/^(?:[1-9]|1[0-2])$/), { error: 'months from 1 to 12' })
    .min(1)
    .max(12)
    .optional(),
});
