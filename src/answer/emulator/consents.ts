/** Consents: created, read, deleted, and their authorisations. */
import type { Answer, Call } from '../../exchange/index.js';
import { consentOf } from '../../ledger/index.js';
import {
  LIMITS,
  SANDBOX,
  SANDBOX_AUTHORISATIONS,
  type SandboxConsent,
  sandboxConsent,
} from '../../spec/index.js';
import { refuse } from '../answer-refusal.js';
import { answerJson, openReply } from '../render.js';
import type { Bank, Handler, Handlers, Moment } from './bank.js';
import { dateOf, dayOf } from './dates.js';
import { CREATED_AUTHORISATION, href, isKnownAuthorisation, LISTED_AUTHORISATIONS } from './links.js';

const REDIRECT = ['ASPSP-SCA-Approach', 'REDIRECT'] as const;

export function createConsentHandlers(bank: Bank): Handlers<'consents'> {
  return {
    'consents.create': (call) => createConsent(bank, call),
    'consents.authorisations.create': (call) => createAuthorisation(bank, call),
    'consents.read': known((call, consent, moment) => readConsent(bank, call, consent, moment)),

    'consents.status': known((call, { status }) =>
      answerJson(call, 'emulator', 200, { consentStatus: status }),
    ),

    'consents.delete': known((call, { deletable }) =>
      deletable ? openReply(call, { source: 'emulator', status: 204 }) : refuse(call, 'CONSENT_UNKNOWN'),
    ),

    'consents.authorisations.list': (call) =>
      call.params.consentId === SANDBOX.validConsent
        ? answerJson(call, 'emulator', 200, { authorisationIds: LISTED_AUTHORISATIONS })
        : refuse(call, 'CONSENT_UNKNOWN'),

    'consents.authorisations.read': (call) => {
      const { consentId, authorisationId } = call.params;
      if (consentId !== SANDBOX.validConsent) return refuse(call, 'CONSENT_UNKNOWN');
      if (!isKnownAuthorisation(authorisationId)) return refuse(call, 'RESOURCE_UNKNOWN');
      return answerJson(call, 'emulator', 200, { scaStatus: SANDBOX_AUTHORISATIONS[authorisationId] });
    },
  };
}

function createConsent(bank: Bank, call: Call): Answer {
  const explicit = isExplicit(call);
  const consentId = explicit ? SANDBOX.consentWithoutAuthorisation : SANDBOX.validConsent;
  const self = consentUrl(bank, consentId);
  const start = explicit
    ? { startAuthorisation: href(`${self}/authorisations`) }
    : authorisationLinks(bank, self);
  const _links = { ...start, self: href(self), status: href(`${self}/status`) };
  return answerJson(call, 'emulator', 201, { consentStatus: 'received', consentId, _links }, [
    ['Location', self],
    REDIRECT,
  ]);
}

function createAuthorisation(bank: Bank, call: Call): Answer {
  const { consentId = '' } = call.params;
  if (sandboxConsent(consentId) === undefined) return refuse(call, 'CONSENT_UNKNOWN');
  if (consentId !== SANDBOX.consentWithoutAuthorisation) return refuse(call, 'STATUS_INVALID');
  const authorisationId = CREATED_AUTHORISATION.consent;
  const _links = authorisationLinks(bank, consentUrl(bank, consentId));
  return answerJson(call, 'emulator', 201, { scaStatus: 'received', authorisationId, _links }, [REDIRECT]);
}

/** What this TPP asked for, where its creation was seen; else what the sandbox has by default. */
function readConsent(bank: Bank, call: Call, consent: SandboxConsent, { ledger, now }: Moment): Answer {
  const created = consentOf(ledger, call.tpp, call.params.consentId ?? '');
  const createdOn = dayOf(created?.createdAt ?? now);
  const frequency = created?.frequencyPerDay ?? LIMITS.accessesPerDay;
  return answerJson(call, 'emulator', 200, {
    access: accessOf(bank, consent),
    recurringIndicator: created?.recurring ?? true,
    validUntil: validUntil(consent, created?.validUntil ?? null, createdOn, dayOf(now)),
    frequencyPerDay: Math.min(Math.max(frequency, 1), LIMITS.accessesPerDay),
    lastActionDate: dateOf(dayOf(created?.statusAt ?? now)),
    consentStatus: consent.status,
    _links: { account: href(bank.links.v1('/accounts')) },
  });
}

function consentUrl({ links }: Bank, id: string): string {
  return links.v1(`/consents/${id}`);
}

/** Reading `implicit-by-default`. */
export function isExplicit(call: Call): boolean {
  return call.header['tpp-explicit-authorisation-preferred'] === 'true';
}

function known(
  handle: (call: Call, consent: SandboxConsent, moment: Moment) => ReturnType<Handler>,
): Handler {
  return (call, moment) => {
    const consent = sandboxConsent(call.params.consentId ?? '');
    return consent === undefined ? refuse(call, 'CONSENT_UNKNOWN') : handle(call, consent, moment);
  };
}

function authorisationLinks({ links }: Bank, self: string) {
  const id = CREATED_AUTHORISATION.consent;
  return { scaOAuth: href(links.scaOAuth(id)), scaStatus: href(`${self}/authorisations/${id}`) };
}

/** A preselected consent is one on the account that can be read (reading `consent-scopes-of-ids`). */
function accessOf({ data }: Bank, { scope }: SandboxConsent): Record<string, unknown> {
  if (scope !== 'preselected') return { [scope]: 'allAccounts' };
  const chosen = data.accounts.accounts
    .filter(({ resourceId }) => resourceId === SANDBOX.accountId)
    .map(({ iban, currency }) => ({ iban, currency }));
  return { accounts: chosen, balances: chosen, transactions: chosen };
}

/** What was asked for, at most 90 days from the creation (reading `consent-days-shortened`); an expired one is past it. */
function validUntil(consent: SandboxConsent, asked: string | null, createdOn: number, today: number): string {
  if (consent.status === 'expired') return dateOf(today - 1);
  const longest = dateOf(createdOn + LIMITS.consentDays);
  return asked !== null && asked < longest ? asked : longest;
}
