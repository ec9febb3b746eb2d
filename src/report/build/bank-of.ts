/** Which bank was asked for a call, and with which of our certificates, from the notes of its session. */
import {
  arrivedAt,
  type Call,
  type Exchange,
  type GatewayNote,
  gatewayNotes,
  type SessionNote,
} from '../../exchange/index.js';
import type { ShownCertificate } from '../model.js';

export interface BankSeen {
  /** As it was configured, with its base path. */
  readonly address: string;
  /** The certificate of ours; null: none is configured. */
  readonly shown: ShownCertificate | 'not-recorded' | null;
}

type State = GatewayNote['settings'] & Pick<GatewayNote, 'at'>;

/** null where no bank was asked, or the session does not tell which. */
export type BankOf = (exchange: Exchange) => BankSeen | null;

export function createBankOf(notes: readonly SessionNote[]): BankOf {
  const states = statesOf(notes);
  return ({ call, answer }) => {
    // A file of others tells where each call went.
    if (call.connection.bank !== undefined) return { address: call.connection.bank, shown: 'not-recorded' };
    if (answer !== null && answer.source !== 'upstream' && answer.source !== 'gateway') return null;
    const state = states.findLast(({ at }) => at <= arrivedAt(call)) ?? states[0];
    const address = (call.listener === 'psu' ? state?.upstreamPsu : undefined) ?? state?.upstream;
    if (state === undefined || address === undefined) return null;
    // The PSU's browser goes to the bank itself, or without a call that is recorded.
    if (call.listener === 'psu') return { address, shown: null };
    return { address, shown: shownTo(call, state) };
  };
}

/** Of notes that tell of a bank: a start says all, a change what is different. */
function statesOf(notes: readonly SessionNote[]): State[] {
  const states: State[] = [];
  for (const { at, kind, settings } of gatewayNotes(notes)) {
    const { upstream, upstreamPsu, upstreamShown } = settings;
    if ((upstream ?? upstreamPsu ?? upstreamShown) === undefined) continue;
    states.push({ ...(kind === 'changed' ? states.at(-1) : {}), ...settings, at });
  }
  return states;
}

function shownTo(call: Call, { upstreamShown = {} }: State): BankSeen['shown'] {
  const own = isKnownCaller(call) && call.tpp !== null ? upstreamShown[call.tpp] : undefined;
  const shown = own ?? upstreamShown.default;
  return shown === undefined ? 'not-recorded' : shown;
}

/** What was given for one TPP is shown for that TPP only where it has proved to be it. */
function isKnownCaller({ certificate, at }: Call): boolean {
  if (typeof certificate === 'string' || !certificate.chain.trusted) return false;
  const { revocation, notBefore, notAfter } = certificate;
  return revocation.status !== 'revoked' && Date.parse(notBefore) <= at && at <= Date.parse(notAfter);
}

/** `serial 12, CN=…, SHA-256 ab…`, of the TPP's certificate or ours. */
export const certificateLine = (
  one: Pick<ShownCertificate, 'serialNumber' | 'issuer' | 'fingerprint'>,
): string => `serial ${one.serialNumber}, ${one.issuer}, SHA-256 ${one.fingerprint}`;
