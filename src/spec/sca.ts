/** The fourteen outcomes that the mocked SCA page simulates (§SCA outcomes), and what each means at the redirect. */
import type { ScaStatus } from './statuses.js';

export type OAuthRedirectError =
  | 'invalid_request'
  | 'unauthorized_client'
  | 'access_denied'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'server_error'
  | 'temporarily_unavailable';

export interface ScaScenarioRow {
  readonly meaning: string;
  readonly phase: 'login' | 'sca';
  /** The text on the information page for the PSU. */
  readonly information: string;
  /** The error at the redirect; null: a code is given. */
  readonly error: OAuthRedirectError | null;
  /** Status of the authorisation afterwards. */
  readonly scaStatus: ScaStatus;
  /** The PSU or the bank has said no: what was asked for is rejected, whoever might try again (reading `sca-rejects`). */
  readonly rejects?: true;
}

export const SCA_SCENARIOS = {
  SCA_OK: {
    meaning: 'Successful authorisation',
    phase: 'sca',
    information: 'You have authorised the request.',
    error: null,
    scaStatus: 'finalised',
  },
  SCA_EXEMPTED: {
    meaning: 'SCA exempted',
    phase: 'sca',
    information: 'No second factor was needed. The request is authorised.',
    error: null,
    scaStatus: 'exempted',
  },
  LOGIN_CANCEL: {
    meaning: 'Login cancelled by the PSU',
    phase: 'login',
    information: 'You cancelled the login. Nothing was authorised.',
    error: 'access_denied',
    scaStatus: 'failed',
    rejects: true,
  },
  LOGIN_TIMEOUT: {
    meaning: 'Login timed out',
    phase: 'login',
    information: 'The login took too long. Nothing was authorised.',
    error: 'access_denied',
    scaStatus: 'failed',
  },
  LOGIN_OTHER_ERROR: {
    meaning: 'Another error in the login phase',
    phase: 'login',
    information: 'The login failed for a technical reason. Nothing was authorised.',
    error: 'server_error',
    scaStatus: 'failed',
  },
  LOGIN_REQUEST_REJECTED: {
    meaning: 'Login rejected',
    phase: 'login',
    information: 'The bank rejected the login. Nothing was authorised.',
    error: 'access_denied',
    scaStatus: 'failed',
    rejects: true,
  },
  BAD_PASSWORD_LOGIN: {
    meaning: 'Login with a bad password',
    phase: 'login',
    information: 'The password was wrong. Nothing was authorised.',
    error: 'access_denied',
    scaStatus: 'failed',
  },
  UNKNOWN_LOGIN: {
    meaning: 'Login with an unknown login',
    phase: 'login',
    information: 'The bank does not know this login. Nothing was authorised.',
    error: 'access_denied',
    scaStatus: 'failed',
  },
  SCA_CANCEL: {
    meaning: 'SCA cancelled by the PSU',
    phase: 'sca',
    information: 'You cancelled the authorisation. Nothing was authorised.',
    error: 'access_denied',
    scaStatus: 'failed',
    rejects: true,
  },
  SCA_TIMEOUT: {
    meaning: 'SCA timed out',
    phase: 'sca',
    information: 'The authorisation took too long. Nothing was authorised.',
    error: 'access_denied',
    scaStatus: 'failed',
  },
  SCA_OTHER_ERROR: {
    meaning: 'Another error in the SCA phase',
    phase: 'sca',
    information: 'The authorisation failed for a technical reason. Nothing was authorised.',
    error: 'server_error',
    scaStatus: 'failed',
  },
  SCA_NOK: {
    meaning: 'SCA did not succeed',
    phase: 'sca',
    information: 'The second factor was wrong. Nothing was authorised.',
    error: 'access_denied',
    scaStatus: 'failed',
  },
  SCA_REQUEST_REJECTED: {
    meaning: 'SCA rejected',
    phase: 'sca',
    information: 'The bank rejected the authorisation. Nothing was authorised.',
    error: 'access_denied',
    scaStatus: 'failed',
    rejects: true,
  },
  SCA_INTERNAL_ERROR: {
    meaning: 'Internal error',
    phase: 'sca',
    information: 'The bank had an internal error. Nothing was authorised.',
    error: 'server_error',
    scaStatus: 'failed',
  },
} as const satisfies Record<string, ScaScenarioRow>;
export type ScaScenario = keyof typeof SCA_SCENARIOS;
export const SCA_SCENARIO_IDS = Object.keys(SCA_SCENARIOS) as ScaScenario[];

export function isScaScenario(text: string): text is ScaScenario {
  return Object.hasOwn(SCA_SCENARIOS, text);
}

/** The row of an outcome with its general type. */
export function scaScenarioRow(id: ScaScenario): ScaScenarioRow {
  return SCA_SCENARIOS[id];
}
