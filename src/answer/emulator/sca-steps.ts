/**
 * The SCA without pages of the bank, as a table: what a TPP may send in each status of an authorisation, what follows if it
 * is right, and which link asks for it. Both banks walk it; they differ in who their PSUs are.
 */
import type { Call } from '../../exchange/index.js';
import type { Dialect, ScaApproach, ScaMethod, ScaStatus, ScaStep } from '../../spec/index.js';
import { type PasswordAttempts, TOO_MANY_PASSWORDS, tryAgain } from '../log-in-attempts.js';
import { type Misstep, NOTHING_SENT, readPsu, readScaInput, type ScaInput } from './sca-input.js';

export interface ScaAuthorisation {
  readonly id: string;
  readonly approach: ScaApproach;
  readonly status: ScaStatus;
  /** Chosen in this call, or by the bank where there is no choice. */
  readonly method?: ScaMethod;
}

interface Row {
  /** Links that ask for the next step; the first is the standard's. */
  readonly links: readonly string[];
  readonly takes: Readonly<Partial<Record<ScaStep, ScaStatus>>>;
}

const IDENTIFY = ['updatePsuIdentification'] as const;
const AUTHENTICATE = ['updatePsuAuthentication', 'updateEncryptedPsuAuthentication'] as const;

const STEPS: Readonly<Partial<Record<ScaApproach, Partial<Record<ScaStatus, Row>>>>> = {
  embedded: {
    received: {
      links: [...IDENTIFY, ...AUTHENTICATE],
      takes: { identification: 'psuIdentified', authentication: 'psuAuthenticated' },
    },
    psuIdentified: {
      links: AUTHENTICATE,
      takes: { identification: 'psuIdentified', authentication: 'psuAuthenticated' },
    },
    psuAuthenticated: { links: ['selectAuthenticationMethod'], takes: { selection: 'scaMethodSelected' } },
    scaMethodSelected: {
      links: ['authoriseTransaction'],
      takes: { selection: 'scaMethodSelected', authorisation: 'finalised' },
    },
    started: { links: ['authoriseTransaction'], takes: { authorisation: 'finalised' } },
  },
  // The bank's page has handed the code to the TPP.
  redirect: { unconfirmed: { links: ['confirmation'], takes: { confirmation: 'finalised' } } },
  // Once the bank knows the PSU, it asks the PSU itself.
  decoupled: {
    received: {
      links: [...IDENTIFY, ...AUTHENTICATE],
      takes: { identification: 'started', authentication: 'started' },
    },
  },
};

const rowOf = ({ approach, status }: Pick<ScaAuthorisation, 'approach' | 'status'>) =>
  STEPS[approach]?.[status];

/** null: the TPP has nothing to send. */
export const stepLinkOf = (authorisation: ScaAuthorisation): readonly string[] | null =>
  rowOf(authorisation)?.links ?? null;

/** Whether the TPP sends what the PSU enters; else a page of the bank asks for it. */
export const hasSteps = (approach: ScaApproach): boolean => STEPS[approach]?.received !== undefined;

/** Wrong credentials, or wrong codes, with which the SCA fails (reading `sca-attempts`). */
export const MOST_ATTEMPTS = 3;

/** The knowledge of a bank that checks the steps. PSUs are named by their ids in the bank. */
export interface ScaBank {
  readonly dialect: Dialect;
  readonly psuNamed: (name: string) => string | undefined;
  readonly hasPassword: (psu: string, password: string) => boolean;
  readonly attempts: PasswordAttempts;
  /** Why this PSU cannot authorise it; null where it can. */
  readonly misfitOf: (psu: string) => string | null;
  /** The PSU that is asked where nobody names one. */
  readonly likelyPsu: () => string | null;
  readonly code: string;
  /** Whether it is the code with which the bank's page sent the PSU back. */
  readonly isConfirmation: (code: string) => boolean;
  /** No second factor is needed. */
  readonly isExempt: boolean;
}

const ONLY_METHOD: ScaMethod = { id: 'sms', type: 'SMS_OTP', name: 'Code by SMS' };

const methodsOf = ({ profile }: Dialect): readonly ScaMethod[] => {
  const methods = profile?.sca?.methods ?? [];
  return methods.length === 0 ? [ONLY_METHOD] : methods;
};

/** An authorisation before a step; the PSU by its id in the bank. */
export interface Standing extends ScaAuthorisation {
  readonly psu: string | null;
}

type Check = (standing: Standing, input: ScaInput, bank: ScaBank) => Partial<Standing> | Misstep;

const AS_BEFORE: Partial<Standing> = {};
const UNKNOWN_PSU: Misstep = {
  code: 'PSU_CREDENTIALS_INVALID',
  path: 'PSU-ID',
  text: 'The bank does not know this PSU.',
  as: 'UNKNOWN_LOGIN',
};

const CHECKS: Readonly<Record<ScaStep, Check>> = {
  identification: (_, { value }, { psuNamed }) => {
    const psu = psuNamed(value);
    return psu === undefined ? UNKNOWN_PSU : { psu };
  },
  authentication: (standing, { psu: name, value, path }, { psuNamed, hasPassword, misfitOf, attempts }) => {
    if (name === undefined && standing.psu === null)
      return { code: 'FORMAT_ERROR', path: 'PSU-ID', text: 'The header PSU-ID is missing.' };
    const psu = name === undefined ? standing.psu : psuNamed(name);
    if (psu == null) return UNKNOWN_PSU;
    const refused = { code: 'PSU_CREDENTIALS_INVALID', path } as const;
    const wait = attempts.waits(psu);
    if (wait > 0) return { ...refused, text: `${TOO_MANY_PASSWORDS} ${tryAgain(wait)}` };
    if (!hasPassword(psu, value)) {
      attempts.failed(psu);
      return { ...refused, as: 'BAD_PASSWORD_LOGIN', text: 'The password is wrong.' };
    }
    const misfit = misfitOf(psu);
    return misfit === null ? { psu } : { code: 'PSU_CREDENTIALS_INVALID', path: 'PSU-ID', text: misfit };
  },
  selection: (_, { value, path }, { dialect }) => {
    const methods = methodsOf(dialect);
    const method = methods.find(({ id }) => id === value);
    const text = `The bank offers ${methods.map(({ id }) => id).join(', ')}.`;
    return method === undefined ? { code: 'SCA_METHOD_UNKNOWN', path, text } : { method };
  },
  authorisation: (_, { value, path }, { code }) =>
    value === code ? AS_BEFORE : { code: 'SCA_INVALID', path, text: 'The code is wrong.', as: 'SCA_NOK' },
  confirmation: (_, { value, path }, { isConfirmation }) =>
    isConfirmation(value)
      ? AS_BEFORE
      : { code: 'SCA_INVALID', path, text: 'The confirmation code is wrong.', as: 'SCA_NOK' },
};

/** The authorisation after a step, or why the step is not taken. */
function takeStep(standing: Standing, input: ScaInput, bank: ScaBank): Standing | Misstep {
  const takes = rowOf(standing)?.takes ?? {};
  const status = takes[input.step];
  if (status === undefined) {
    const expected = Object.keys(takes).join(' or ') || 'nothing more';
    const text = `The authorisation is ${standing.status} and takes ${expected}; this is ${input.step}.`;
    return { code: 'STATUS_INVALID', text };
  }
  const checked = CHECKS[input.step](standing, input, bank);
  return 'code' in checked ? checked : goOn({ ...standing, ...checked, status }, bank);
}

/** A step by PUT, if the bank takes it so. */
export function takeUpdate(
  standing: Standing,
  input: ScaInput | Misstep | null,
  bank: ScaBank,
): Standing | Misstep {
  if (input === null) return NOTHING_SENT;
  if ('code' in input) return input;
  const { steps } = bank.dialect.profile?.sca ?? {};
  if (steps?.includes(input.step) === false && input.step !== 'identification')
    return {
      ...{ code: 'PARAMETER_NOT_SUPPORTED', path: input.path },
      text: `By PUT the bank takes ${steps.join(', ') || 'nothing'}.`,
    };
  return takeStep(standing, input, bank);
}

/** A new authorisation, with what the call brings already: a creation names the PSU at most, a start may hold a whole step. */
export function firstStep(
  call: Call,
  opened: Pick<Standing, 'id' | 'approach'>,
  bank: ScaBank,
  isCreation: boolean,
): Standing | Misstep {
  const standing: Standing = { ...opened, status: 'received', psu: null };
  if (!hasSteps(opened.approach)) return standing;
  const input = isCreation ? readPsu(call) : readScaInput(call);
  if (input === null) {
    // Nothing could tell the bank later: it knows its PSU already.
    const isKnown = opened.approach === 'decoupled' && !bank.dialect.offers('consents.authorisations.update');
    return isKnown ? { ...standing, status: 'started', psu: bank.likelyPsu() } : standing;
  }
  return 'code' in input ? input : takeStep(standing, input, bank);
}

/** Goes on where the PSU has nothing to choose. */
function goOn(standing: Standing, { dialect, isExempt }: ScaBank): Standing {
  if (standing.status !== 'psuAuthenticated') return standing;
  if (isExempt) return { ...standing, status: 'exempted' };
  const [method, second] = methodsOf(dialect);
  return method === undefined || second !== undefined
    ? standing
    : { ...standing, status: 'scaMethodSelected', method };
}

/** Members of an answer that tell of an authorisation, beside its status and links. */
export function scaMembers(
  { approach, status, method }: ScaAuthorisation,
  dialect: Dialect,
  psuMessage: string,
): Readonly<Record<string, unknown>> {
  if (approach === 'decoupled') return status === 'started' ? { psuMessage } : {};
  if (status === 'psuAuthenticated') return { scaMethods: methodsOf(dialect).map(methodRecord) };
  return status === 'scaMethodSelected' && method !== undefined
    ? { chosenScaMethod: methodRecord(method), challengeData: CHALLENGE }
    : {};
}

const methodRecord = ({ id, type, name }: ScaMethod) => ({
  authenticationType: type,
  authenticationMethodId: id,
  name,
});

const CHALLENGE = {
  otpMaxLength: 6,
  otpFormat: 'integer',
  additionalInformation: 'The bank has sent a code to the PSU.',
};

/** Whether a payment is below the amount from which the bank asks for a second factor. */
export function isExemptAmount({ profile }: Dialect, amount: number | string): boolean {
  const below = profile?.sca?.exemptBelow;
  return below !== undefined && Number(amount) < Number(below);
}
