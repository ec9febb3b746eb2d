/** Reads the step that a call brings to an SCA without pages of the bank. */
import { type Call, memberOf } from '../../exchange/index.js';
import type { ScaScenario, ScaStep, WireErrorCode } from '../../spec/index.js';

export interface ScaInput {
  readonly step: ScaStep;
  /** PSU-ID of the call. */
  readonly psu: string | undefined;
  readonly value: string;
  readonly path: string;
}

/** Why a step is not taken. */
export interface Misstep {
  readonly code: WireErrorCode;
  readonly text: string;
  readonly path?: string;
  /** The end of the SCA if that happens too often; absent: it is no attempt. */
  readonly as?: ScaScenario;
}

const LONGEST_VALUE = 512;

/** Each step by the member that holds it. */
const MEMBERS = [
  ['authentication', 'psuData.password'],
  ['authentication', 'psuData.encryptedPassword'],
  ['selection', 'authenticationMethodId'],
  ['authorisation', 'scaAuthenticationData'],
  ['confirmation', 'confirmationCode'],
] as const satisfies readonly (readonly [ScaStep, string])[];

/** The PSU that a call names; null: none. */
export function readPsu({ header }: Call): ScaInput | null {
  const psu = header['psu-id'] ?? '';
  return psu === '' ? null : { step: 'identification', path: 'PSU-ID', value: psu, psu };
}

/** The step that a call brings; null: none. */
export function readScaInput(call: Call): ScaInput | Misstep | null {
  const identification = readPsu(call);
  const body = call.content.kind === 'json' ? call.content.value : undefined;
  const given = MEMBERS.flatMap(([step, path]) => {
    const value = path.split('.').reduce<unknown>(memberOf, body);
    return value == null ? [] : [{ step, path, value, psu: identification?.psu }];
  });
  const [first, second] = given;
  if (first === undefined) return identification;
  if (second !== undefined)
    return {
      code: 'FORMAT_ERROR',
      path: second.path,
      text: `Send ${first.path} or ${second.path}, not both.`,
    };
  const { value, path } = first;
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_VALUE
    ? { ...first, value }
    : { code: 'FORMAT_ERROR', path, text: `${path} is to be a text of 1 to ${LONGEST_VALUE} characters.` };
}

/** A step that brings nothing. */
export const NOTHING_SENT: Misstep = {
  code: 'FORMAT_ERROR',
  text: `Send one of PSU-ID, ${MEMBERS.map(([, path]) => path).join(', ')}.`,
};
