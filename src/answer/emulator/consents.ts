/** Consents: created, read, deleted, and their authorisations. */
import type { Call } from '../../exchange/index.js';
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
  const { links } = bank;
  const consentUrl = (id: string) => links.v1(`/consents/${id}`);

  return {
    'consents.create': (call) => {
      const explicit = isExplicit(call);
      const consentId = explicit ? SANDBOX.consentWithoutAuthorisation : SANDBOX.validConsent;
      const self = consentUrl(consentId);
      const start = explicit
        ? { startAuthorisation: href(`${self}/authorisations`) }
        : authorisationLinks(bank, self);
      return answerJson(
        call,
        'emulator',
        201,
        {
          consentStatus: 'received',
          consentId,
          _links: { ...start, self: href(self), status: href(`${self}/status`) },
        },
        [['Location', self], REDIRECT],
      );
    },

    'consents.authorisations.create': (call) => {
      const { consentId = '' } = call.params;
      if (sandboxConsent(consentId) === undefined) return refuse(call, 'CONSENT_UNKNOWN');
      if (consentId !== SANDBOX.consentWithoutAuthorisation) return refuse(call, 'STATUS_INVALID');
      const authorisationId = CREATED_AUTHORISATION.consent;
      return answerJson(
        call,
        'emulator',
        201,
        {
          scaStatus: 'received',
          authorisationId,
          _links: authorisationLinks(bank, consentUrl(consentId)),
        },
        [REDIRECT],
      );
    },

    'consents.read': known((call, consent, { ledger, now }) => {
      const { consentId = '' } = call.params;
      const today = dayOf(now);
      const created = consentOf(ledger, call.tpp, consentId);
      const value = {
        access: accessOf(bank, consent),
        recurringIndicator: created?.recurring ?? true,
        validUntil: validUntil(consent, created?.validUntil ?? null, dayOf(created?.createdAt ?? now), today),
        frequencyPerDay: Math.min(
          Math.max(created?.frequencyPerDay ?? LIMITS.accessesPerDay, 1),
          LIMITS.accessesPerDay,
        ),
        lastActionDate: dateOf(dayOf(created?.statusAt ?? now)),
        consentStatus: consent.status,
        _links: { account: href(links.v1('/accounts')) },
      };
      return answerJson(call, 'emulator', 200, value);
    }),

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
