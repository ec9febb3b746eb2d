/**
 * Schemas of every body of the interface. They say which fields are there and of which type; formats and values
 * (a real date, a known status) are judged by rules of their own, so that one fault is one finding.
 */
import * as z from 'zod';
import type { OperationId, PaymentService, ProductCode } from './operations.js';
import { isAbsoluteHttpUri } from './uris.js';

const text = z.string().min(1);
const uri = z.string().refine(isAbsoluteHttpUri, { error: 'an absolute http or https URL' });
const links = z.record(z.string(), z.looseObject({ href: text }));

const accountReferenceForms = ['iban', 'bban', 'pan', 'maskedPan', 'msisdn', 'other'] as const;

/** An account named in one of the standard's ways. */
export const accountReference = z
  .looseObject({
    iban: text.nullish(),
    bban: text.nullish(),
    pan: text.nullish(),
    maskedPan: text.nullish(),
    msisdn: text.nullish(),
    currency: text.nullish(),
  })
  .refine((account) => accountReferenceForms.some((form) => account[form] != null), {
    error: 'one of iban, bban, pan, maskedPan, msisdn',
  });
const ibanReference = z.looseObject({ iban: text, currency: text.nullish() });

const requestAmount = z.looseObject({ currency: text, amount: text });
/** Banks of the field send numbers where the standard says string; a rule of its own reports it. */
const answerAmount = z.looseObject({ currency: text, amount: z.union([text, z.number()]) });

/** A reference in a consent: some banks of the field take an id of their own as well. */
const selectedAccount = z.union([z.looseObject({ resourceId: text }), accountReference]);

/** Only the first entry that names no account is told: a fault for each of a hundred thousand would take seconds. */
const accountSelection = z
  .array(z.unknown())
  .superRefine((entries, context) => {
    for (const [at, entry] of entries.entries()) {
      if (selectedAccount.safeParse(entry).success) continue;
      const issues = accountReference.safeParse(entry).error?.issues ?? [];
      for (const { path, ...issue } of issues) context.addIssue({ ...issue, path: [at, ...path] } as never);
      return;
    }
  })
  .nullish();

/** A member that is null counts as absent: clients serialise unset members so. */
export const consentAccess = z.looseObject({
  allPsd2: z.string().nullish(),
  availableAccounts: z.string().nullish(),
  availableAccountsWithBalance: z.string().nullish(),
  availableAccountsWithBalances: z.string().nullish(),
  accounts: accountSelection,
  balances: accountSelection,
  transactions: accountSelection,
  additionalInformation: z.looseObject({}).nullish(),
});

export const consentRequest = z.looseObject({
  access: consentAccess,
  recurringIndicator: z.boolean(),
  validUntil: z.string(),
  frequencyPerDay: z.int(),
  combinedServiceIndicator: z.boolean(),
});

const paymentDetails = {
  instructedAmount: requestAmount,
  creditorName: text,
  requestedExecutionDate: z.string().nullish(),
  endToEndIdentification: z.string().nullish(),
  instructionIdentification: z.string().nullish(),
  debtorName: z.string().nullish(),
  creditorAgent: z.string().nullish(),
  creditorAgentName: z.string().nullish(),
  creditorAddress: z.looseObject({ country: text }).nullish(),
  chargeBearer: z.string().nullish(),
  purposeCode: z.string().nullish(),
  remittanceInformationUnstructured: z.string().nullish(),
} as const;

export const paymentRequest = z.looseObject({
  ...paymentDetails,
  debtorAccount: ibanReference,
  creditorAccount: ibanReference,
});

/** Reading `cross-border-body`: as SEPA, but the accounts may be named in other ways than by IBAN. */
export const crossBorderPaymentRequest = z.looseObject({
  ...paymentDetails,
  debtorAccount: accountReference,
  creditorAccount: accountReference,
});

/** Berlin Group: a payment that is repeated. */
const standingOrder = { startDate: text, frequency: text } as const;

export const FREQUENCIES = [
  'Daily',
  'Weekly',
  'EveryTwoWeeks',
  'Monthly',
  'EveryTwoMonths',
  'Quarterly',
  'SemiAnnual',
  'Annual',
  'MonthlyVariable',
] as const;

const bulkOf = (account: typeof ibanReference | typeof accountReference) =>
  z.looseObject({
    debtorAccount: account,
    payments: z.array(z.looseObject({ ...paymentDetails, creditorAccount: account })).min(1),
    requestedExecutionDate: z.string().nullish(),
  });

/** By service and what the product is like. */
export const PAYMENT_REQUESTS = {
  payments: { SCT: paymentRequest, CBP: crossBorderPaymentRequest },
  'periodic-payments': {
    SCT: paymentRequest.extend(standingOrder),
    CBP: crossBorderPaymentRequest.extend(standingOrder),
  },
  'bulk-payments': { SCT: bulkOf(ibanReference), CBP: bulkOf(accountReference) },
} as const satisfies Record<PaymentService, Record<ProductCode, z.ZodType>>;

/** Reading `funds-request-body`. */
export const fundsConfirmationRequest = z.looseObject({
  account: accountReference,
  instructedAmount: requestAmount,
  cardNumber: z.string().nullish(),
  payee: z.string().nullish(),
});

export const simulationRequest = z.looseObject({
  paymentId: text,
  tppNotificationUri: text,
  status: text,
});

/** The form fields that each grant needs (§OAuth 2.0). */
export const GRANT_FIELDS = {
  authorization_code: ['client_id', 'code', 'code_verifier'],
  refresh_token: ['client_id', 'refresh_token'],
} as const;
export type GrantType = keyof typeof GRANT_FIELDS;

export const consentCreation = z.looseObject({ consentStatus: text, consentId: text, _links: links });

export const consent = z.looseObject({
  access: z.looseObject({}),
  recurringIndicator: z.boolean(),
  validUntil: text,
  frequencyPerDay: z.int(),
  lastActionDate: text,
  consentStatus: text,
  _links: links.nullish(),
});

export const consentStatus = z.looseObject({ consentStatus: text });

export const authorisationCreation = z.looseObject({ scaStatus: text, authorisationId: text, _links: links });

export const authorisationList = z.looseObject({ authorisationIds: z.array(text) });

/** Older texts of the standard name the member `cancellationIds`. */
export const cancellationAuthorisationList = z.union([
  authorisationList,
  z.looseObject({ cancellationIds: z.array(text) }),
]);

export const authorisation = z.looseObject({ scaStatus: text });

const balance = z.looseObject({
  balanceAmount: answerAmount,
  balanceType: text,
  lastChangeDateTime: z.string().nullish(),
  referenceDate: z.string().nullish(),
});

const accountDetails = z.looseObject({
  currency: text,
  resourceId: z.string().nullish(),
  iban: z.string().nullish(),
  bban: z.string().nullish(),
  bic: z.string().nullish(),
  name: z.string().nullish(),
  product: z.string().nullish(),
  cashAccountType: z.string().nullish(),
  balances: z.array(balance).nullish(),
  _links: links.nullish(),
});

export const accountList = z.looseObject({ accounts: z.array(accountDetails) });
export const account = z.looseObject({ account: accountDetails });

export const balances = z.looseObject({
  account: accountReference.nullish(),
  balances: z.array(balance),
});

const transaction = z.looseObject({
  transactionAmount: answerAmount,
  transactionId: z.string().nullish(),
  entryReference: z.string().nullish(),
  bookingDate: z.string().nullish(),
  valueDate: z.string().nullish(),
});

export const transactions = z.looseObject({
  account: accountReference.nullish(),
  transactions: z
    .looseObject({
      booked: z.array(transaction).nullish(),
      pending: z.array(transaction).nullish(),
      information: z.array(z.looseObject({})).nullish(),
      _links: links,
    })
    .nullish(),
  balances: z.array(balance).nullish(),
  _links: links.nullish(),
});

export const paymentCreation = z.looseObject({ transactionStatus: text, paymentId: text, _links: links });

export const payment = z.looseObject({
  instructedAmount: answerAmount,
  debtorAccount: accountReference,
  creditorAccount: accountReference,
  creditorName: text,
  transactionStatus: text.nullish(),
});

export const paymentStatus = z.looseObject({
  transactionStatus: text,
  fundsAvailable: z.boolean().nullish(),
});

/** The answer 202 to a DELETE that needs the PSU's authorisation. A 204 has no body. */
export const cancellation = z.looseObject({ transactionStatus: text, _links: links.nullish() });

export const fundsConfirmation = z.looseObject({ fundsAvailable: z.boolean() });

export const token = z.looseObject({
  access_token: text,
  // Without a flag, so that JSON Schema can say it too.
  token_type: z.string().regex(/^[Bb][Ee][Aa][Rr][Ee][Rr]$/, { error: 'Bearer' }),
  expires_in: z.int().positive(),
  refresh_token: text,
  scope: text,
});

/** The answer to a refresh need not hold a new refresh token: the old one stays good (RFC 6749 6). */
export const refreshed = token.extend({ refresh_token: text.nullish() });

export const discovery = z.looseObject({
  issuer: uri,
  authorization_endpoint: uri,
  token_endpoint: uri,
  userinfo_endpoint: uri,
  scopes_supported: z.array(z.string()),
  response_types_supported: z.array(z.string()),
  grant_types_supported: z.array(z.string()),
  code_challenge_methods_supported: z.array(z.string()),
  subject_types_supported: z.array(z.string()),
});
export type Discovery = z.infer<typeof discovery>;

/** The members of the discovery document whose value the specification gives. */
export const DISCOVERY_VALUES = {
  scopes_supported: ['account', 'payment'],
  response_types_supported: ['code'],
  grant_types_supported: ['client_credentials', 'authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  subject_types_supported: ['public'],
} as const satisfies Partial<Record<keyof Discovery, readonly string[]>>;

export const callback = z.looseObject({ 'payment-ID': text, transactionStatus: text });

export const tppMessages = z.looseObject({
  tppMessages: z
    .array(
      z.looseObject({
        category: z.enum(['ERROR', 'WARNING']),
        code: text,
        text: z.string().max(500).nullish(),
        path: z.string().nullish(),
      }),
    )
    .min(1),
  _links: links.nullish(),
});

export const problem = z.looseObject({
  type: text,
  code: text,
  title: z.string().nullish(),
  detail: z.string().nullish(),
  additionalErrors: z.array(z.looseObject({ code: text })).nullish(),
});

export const oauthError = z.looseObject({
  error: text,
  error_description: z.string().nullish(),
  error_uri: z.string().nullish(),
});

/** Berlin Group: the status after the step, and the links that lead on. */
export const authorisationUpdate = z.looseObject({ scaStatus: text, _links: links.nullish() });

export const transactionDetails = z.looseObject({ transactionsDetails: z.looseObject({}) });

/** Body of each success; null: it has none that could be judged. A 204 never has one. */
export const ANSWER_BODIES = {
  'consents.create': consentCreation,
  'consents.read': consent,
  'consents.status': consentStatus,
  'consents.delete': null,
  'consents.authorisations.create': authorisationCreation,
  'consents.authorisations.list': authorisationList,
  'consents.authorisations.read': authorisation,
  'consents.authorisations.update': authorisationUpdate,
  'oauth.authorize': null,
  'sca.redirect': null,
  'oauth.token': token,
  'oauth.discovery': discovery,
  'accounts.list': accountList,
  'accounts.read': account,
  'accounts.balances': balances,
  'accounts.transactions': transactions,
  'accounts.transaction': transactionDetails,
  'payments.create': paymentCreation,
  'payments.read': payment,
  'payments.status': paymentStatus,
  'payments.cancel': cancellation,
  'payments.authorisations.create': authorisationCreation,
  'payments.authorisations.list': authorisationList,
  'payments.authorisations.read': authorisation,
  'payments.authorisations.update': authorisationUpdate,
  'payments.cancellation-authorisations.create': authorisationCreation,
  'payments.cancellation-authorisations.update': authorisationUpdate,
  'payments.cancellation-authorisations.list': cancellationAuthorisationList,
  'payments.cancellation-authorisations.read': authorisation,
  'funds-confirmations.create': fundsConfirmation,
  'notifications.simulate': null,
} as const satisfies Record<OperationId, z.ZodType | null>;
