/** What is known of the living bank beyond its population: what TPPs and PSUs did. Plain values; secrets as fingerprints. */
import type { Injection } from '../exchange/index.js';
import type { PaymentStatus, ProductCode, ScaScenario, ScaStatus } from '../spec/index.js';
import type { PaymentHabit } from './habits/habits.js';
import type { Conversion } from './population/population.js';
import type { BankCode, BankToken } from './token-facts.js';

export type { BankCode, BankToken, Grantor } from './token-facts.js';

/** A consent's request, and once the PSU has agreed, its content: accounts by their resource ids. */
export interface Access {
  /** As the request named it; `dedicated`: lists of accounts, `offered`: empty lists, the PSU selects. */
  readonly kind: 'allPsd2' | 'availableAccounts' | 'availableAccountsWithBalance' | 'dedicated' | 'offered';
  /** Empty where the kind itself says it: all that the PSU owns. */
  readonly accounts: readonly string[];
  readonly balances: readonly string[];
  readonly transactions: readonly string[];
  readonly ownerNames: readonly string[];
}

/** How a consent ended, where that does not follow from the time alone. */
export interface ConsentEnd {
  readonly status: 'rejected' | 'revokedByPsu' | 'terminatedByTpp' | 'expired';
  /** Epoch ms, as all times here. */
  readonly at: number;
}

/** Whose something is, and where the browser goes back to from it. */
interface OfTpp {
  readonly id: string;
  readonly tpp: string;
  readonly createdAt: number;
  /** null until a PSU has authorised it, or logged in to. */
  readonly psu: string | null;
  /** TPP-Redirect-URI and TPP-Nok-Redirect-URI of the creation; null where none were given. */
  readonly redirectUri: string | null;
  readonly nokRedirectUri: string | null;
}

interface BankResource extends OfTpp {
  /** No authorisation came with its creation (TPP-Explicit-Authorisation-Preferred: true). */
  readonly explicit: boolean;
  readonly authorisations: readonly string[];
}

export interface BankConsent extends BankResource {
  /** `access` of the request, but for the accounts in its lists: they stand in `access`. */
  readonly asked: object;
  /** What was granted; before the SCA, what the request names. */
  readonly access: Access;
  readonly recurring: boolean;
  readonly frequencyPerDay: number;
  /** YYYY-MM-DD, as granted. */
  readonly validUntil: string;
  /** When the newest SCA for it succeeded. */
  readonly scaAt: number | null;
  /** When it was first used; a one-off consent is soon used up by it. */
  readonly usedAt: number | null;
  /** When transactions beyond the ordinary history were last given. */
  readonly historyAt: number | null;
  /** When something was last done with it. */
  readonly lastActionAt: number;
  readonly end: ConsentEnd | null;
  /** One PSU has agreed, and a second one has to. */
  readonly isSigned?: true;
  /** Its access ends then, until the PSU authenticates again. */
  readonly scaUntil?: number;
  /** The PSU revokes it by itself then. */
  readonly revokesAt?: number;
  /** Its accounts have resource ids of their own. */
  readonly ownIds?: true;
}

export interface BankAuthorisation extends OfTpp {
  /** Of the certificate that it was created with, as the PSU is told it; null where that names nobody. */
  readonly tppName: string | null;
  /** `token`: a TPP asks for one, with which it will create; `resource` is the scope then. */
  readonly of: 'consent' | 'payment' | 'cancellation' | 'token';
  readonly resource: string;
  readonly status: ScaStatus;
  readonly statusAt: number;
  /** Absent: oauth. */
  readonly approach?: 'redirect' | 'decoupled' | 'embedded';
  /** How it ended; null while it has not. */
  readonly outcome: ScaScenario | null;
  /** Failed attempts to log in or to confirm. */
  readonly attempts: number;
  /** Fingerprint of the code by which its TPP confirms it, and the accounts that the PSU chose. */
  readonly confirmation?: string;
  readonly accounts?: readonly string[];
  /** For so many ms from its creation its link leads to the SCA; absent: `LIMITS.scaLinkMs`. */
  readonly lastsMs?: number;
}

/** The fate of a payment at the time of its execution: decided once. */
export interface Execution {
  readonly at: number;
  /** `partly`: of several payments together, some. */
  readonly outcome: 'booked' | 'rejected' | 'partly';
  readonly reason: RejectReason | null;
  /** What it took from the debtor, in minor units of that account's currency; 0 where it was rejected. */
  readonly debited: number;
  /** What it brought the creditor, likewise; 0 where that is no account of this bank. */
  readonly credited: number;
}

/** Codes of ISO 20022. */
export type RejectReason =
  /** The account of the debtor is closed, that of the creditor, or one of them blocked. */
  | 'AC04'
  | 'AC07'
  | 'AC06'
  | 'AM03'
  | 'AM04'
  /** The PSU did not authorise it, or the bank does not want it. */
  | 'MS02'
  | 'MS03';

/** Which statuses a TPP is notified of, and the one that it knows of. */
export interface Watch {
  readonly uri: string;
  /** Each of them, or the last only. */
  readonly content: 'PROCESS' | 'LAST';
  readonly told: PaymentStatus;
  /** A gateway that shares the store tells the next one, and says so by then, or has ended; epoch ms of its machine. */
  readonly claimedUntil?: number;
  /** An operator's fault has this status told after the one that follows it. */
  readonly behind?: { readonly status: PaymentStatus; readonly injected: Injection };
}

export interface BankPayment extends BankResource {
  readonly product: string;
  /** The product is like this one; absent: as the built-in one of its name. */
  readonly like?: ProductCode;
  /** The request's body, as it came: a TPP reads it again. Of a long one what is shown elsewhere; see `BankBody`. */
  readonly body: object;
  /** Minor units of `currency`. */
  readonly amount: number;
  readonly currency: string;
  /** Resource ids; null where the account is not of this bank. */
  readonly debtor: string | null;
  readonly creditor: string | null;
  /** When the SCA succeeded; null before, or where it failed. */
  readonly authorisedAt: number | null;
  /** When it is to be executed; null until it is authorised. */
  readonly dueAt: number | null;
  readonly execution: Execution | null;
  readonly cancelledAt: number | null;
  readonly cancellationAuthorisations: readonly string[];
  /** Where notifications were asked for and promised. */
  readonly watch: Watch | null;
  /** How the bank treats it, where not as is ordinary. */
  readonly habit?: PaymentHabit;
  /** The PSU that has agreed, where a second one has to. */
  readonly signedBy?: string;
  /** When it came back to the debtor. */
  readonly returnedAt?: number;
  /** A periodic payment has it: each payment that falls due becomes one of its own. */
  readonly standing?: StandingOrder;
  /** A bulk payment has them: each becomes a payment of its own once they are due. */
  readonly parts?: readonly PaymentPart[];
  /** The periodic or bulk payment that it is one of. */
  readonly order?: string;
  /** It came as XML, which stands in its body as `sent`. */
  readonly sentAs?: SentAs;
}

/** Names of a pain.001, which its status report repeats. */
export interface SentAs {
  /** Content-Type, as it came. */
  readonly type: string;
  readonly version: '03' | '09';
  readonly messageId: string;
  readonly informationId: string;
}

export type PaymentPart = Pick<BankPayment, 'body' | 'amount' | 'creditor'>;

/** Days are numbered as `bankDayAt` does. */
export interface StandingOrder {
  /** The name that the TPP gave. */
  readonly frequency: string;
  /** A payment of a day on which banks do not settle moves to the next one, or to the last one before. */
  readonly rule: 'following' | 'preceding';
  readonly start: number;
  /** null: until it is cancelled. */
  readonly end: number | null;
  readonly dayOfMonth: number;
  /** From 1; of MonthlyVariable. */
  readonly months?: readonly number[];
  /** The next payment, from 0, and the day of its execution. */
  readonly nth: number;
  readonly day: number;
  /** How many were executed or rejected; when the first was. */
  readonly done?: number;
  readonly firstAt?: number;
}

/** The long body of a payment, under the payment's id. The store holds it whole. */
export interface BankBody {
  readonly tpp: string;
  /** Length of its JSON. */
  readonly bytes: number;
  /** Last, where a store cuts it off. Absent in memory. */
  readonly body?: object;
}

/** An outcome set ahead for an SCA; used once. */
export interface BankOutcome {
  readonly scenario: ScaScenario;
  /** `AIS:<consent id>`; null: any. */
  readonly scope: string | null;
  readonly psu: string | null;
  readonly setAt: number;
}

/** How often a fault that an operator set has met calls. */
export interface BankFault {
  /** Which setting of the fault is counted: another one begins anew. */
  readonly run: string;
  /** Calls that fitted. */
  readonly seen: number;
  /** Calls that it met. */
  readonly times: number;
}

/** What operators did to an account. */
export interface BankAccount {
  /** Resource id. */
  readonly id: string;
  /** Absent: as it is by itself. */
  readonly status?: 'enabled' | 'blocked' | 'deleted';
  /** The day on which it was closed; the last one on which anything is booked. */
  readonly closedOn?: number;
  readonly iban?: string;
  /** IBANs that it had, and until when (epoch ms) they lead to it. */
  readonly formerIbans?: readonly { readonly iban: string; readonly until: number }[];
  readonly bookings: readonly HandBooking[];
}

export interface HandBooking {
  readonly id: string;
  /** When it was entered. */
  readonly at: number;
  /** Of its booking; null: it stays pending. Of a later day it is pending until then. */
  readonly day: number | null;
  /** Minor units of the account's currency. */
  readonly amount: number;
  readonly text: string;
  readonly exchange?: Conversion;
}

/** Families by name, distinct from those of the ledger: both are kept side by side. */
export interface BankFamilies {
  bankConsents: BankConsent;
  bankAuthorisations: BankAuthorisation;
  bankPayments: BankPayment;
  bankBodies: BankBody;
  bankCodes: BankCode;
  bankTokens: BankToken;
  bankOutcomes: BankOutcome;
  bankFaults: BankFault;
  bankAccounts: BankAccount;
}
export type BankFamily = keyof BankFamilies;

/** One change; `fact` null removes. Kept in the store with the exchange that made it. */
export type BankChange = {
  readonly [F in BankFamily]: {
    readonly family: F;
    readonly key: string;
    readonly fact: BankFamilies[F] | null;
  };
}[BankFamily];
