/** Begins an authorisation of a consent or payment, with its creation or later by its TPP. */
import type { BankConsent, BankPayment, Opening } from '../../bank/index.js';
import type { Call } from '../../exchange/index.js';
import type { LivingBank } from './living.js';

/** The limit of authorisations that a TPP may start itself for one consent or payment. */
export const MOST_AUTHORISATIONS = 20;

/** TPP-Redirect-URI and TPP-Nok-Redirect-URI of a call. */
export function addressesIn({ header }: Call) {
  return {
    redirectUri: header['tpp-redirect-uri'] ?? null,
    nokRedirectUri: header['tpp-nok-redirect-uri'] ?? null,
  };
}

type Resource = BankConsent | BankPayment;

/** A new authorisation. If the call names no addresses, those of the creation count. */
export function openingOf(
  { ids, scaLinkMs }: LivingBank,
  call: Call,
  {
    id: resource,
    tpp,
    redirectUri,
    nokRedirectUri,
  }: Pick<Resource, 'id' | 'tpp' | 'redirectUri' | 'nokRedirectUri'>,
  of: Opening['of'],
): Opening {
  const own = addressesIn(call);
  const addresses = own.redirectUri === null ? { redirectUri, nokRedirectUri } : own;
  return {
    id: ids.authorisation(),
    tpp,
    tppName: tppNameOf(call),
    of,
    resource,
    ...addresses,
    lastsMs: scaLinkMs,
  };
}

/** The name of the organisation that calls, as its certificate has it: a PSU is asked by it. */
function tppNameOf({ certificate }: Call): string | null {
  return typeof certificate === 'string' ? null : certificate.organization;
}
