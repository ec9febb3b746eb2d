/** Consents: created, read, deleted, and their authorisations. */
import type { Answer, Call } from '../../exchange/index.js';
import { consentOf, type Ledger } from '../../ledger/index.js';
import {
  bankDayAt,
  type ConsentStatus,
  consentScope,
  dateOf,
  SANDBOX,
  type SandboxConsent,
  sandboxConsent,
} from '../../spec/index.js';
import { refuse } from '../answer-refusal.js';
import { answerJson, openReply } from '../render.js';
import type { Bank, Handler, Handlers, Moment } from './bank.js';
import { consentTerms } from './consent-terms.js';
import { answerStart, creationLinks, isExplicit, notificationSupport, REDIRECT } from './creations.js';
import { flowStatus, listedAuthorisations, openFlow, sandboxStatus } from './flows.js';
import { href } from './links.js';

export function createConsentHandlers(bank: Bank): Handlers<'consents'> {
  return {
    'consents.create': (call) => createConsent(bank, call),
    'consents.authorisations.update': (call) => refuse(call, 'SERVICE_INVALID'),
    'consents.authorisations.create': (call) => createAuthorisation(bank, call),
    'consents.read': known((call, consent, moment) => readConsent(bank, call, consent, moment)),

    'consents.status': known((call, consent, { ledger }) =>
      answerJson(call, 'emulator', 200, { consentStatus: statusOf(call, consent, ledger) }),
    ),

    'consents.delete': known((call, { deletable }) =>
      deletable ? openReply(call, { source: 'emulator', status: 204 }) : refuse(call, 'CONSENT_UNKNOWN'),
    ),

    'consents.authorisations.list': (call, { ledger }) => {
      const { consentId } = call.params;
      if (consentId !== SANDBOX.validConsent) return refuse(call, 'CONSENT_UNKNOWN');
      const authorisationIds = listedAuthorisations(consentOf(ledger, call.tpp, consentId));
      return answerJson(call, 'emulator', 200, { authorisationIds });
    },

    // §Errors 3 is about the fixed ids: a link that this TPP was given leads to its authorisation of any consent.
    'consents.authorisations.read': (call, { ledger }) => {
      const { consentId = '' } = call.params;
      const own = flowStatus(ledger, call, consentScope(consentId));
      if (own === undefined && consentId !== SANDBOX.validConsent) return refuse(call, 'CONSENT_UNKNOWN');
      const scaStatus = own ?? sandboxStatus(call);
      if (scaStatus === undefined) return refuse(call, 'RESOURCE_UNKNOWN');
      return answerJson(call, 'emulator', 200, { scaStatus });
    },
  };
}

function createConsent(bank: Bank, call: Call): Answer {
  const explicit = isExplicit(call);
  const consentId = explicit ? SANDBOX.consentWithoutAuthorisation : SANDBOX.validConsent;
  const self = consentUrl(bank, consentId);
  const _links = creationLinks(bank.links, self, explicit ? null : openFlow(bank, call));
  return answerJson(call, 'emulator', 201, { consentStatus: 'received', consentId, _links }, [
    ['Location', self],
    REDIRECT,
    ...notificationSupport(call),
  ]);
}

function createAuthorisation(bank: Bank, call: Call): Answer {
  const { consentId = '' } = call.params;
  if (sandboxConsent(consentId) === undefined) return refuse(call, 'CONSENT_UNKNOWN');
  if (consentId !== SANDBOX.consentWithoutAuthorisation) return refuse(call, 'STATUS_INVALID');
  return answerStart(bank.links, call, consentUrl(bank, consentId), openFlow(bank, call));
}

function readConsent(bank: Bank, call: Call, consent: SandboxConsent, { ledger, now }: Moment): Answer {
  const consentStatus = statusOf(call, consent, ledger);
  const day = bankDayAt(now);
  return answerJson(call, 'emulator', 200, {
    ...consentTerms(bank.data, consent, day),
    lastActionDate: dateOf(day),
    consentStatus,
    ...(consentStatus === 'valid' ? { _links: { account: href(bank.links.to('accounts.list')) } } : {}),
  });
}

/** An explicit creation's consent waits until the PSU authorises it (reading `explicit-consent-status`). */
function statusOf(call: Call, { status }: SandboxConsent, ledger: Ledger): ConsentStatus {
  const { consentId } = call.params;
  if (consentId !== SANDBOX.consentWithoutAuthorisation) return status;
  return consentOf(ledger, call.tpp, consentId)?.status === 'valid' ? 'valid' : status;
}

function consentUrl({ links }: Bank, id: string): string {
  return links.to('consents.read', { consentId: id });
}

function known(
  handle: (call: Call, consent: SandboxConsent, moment: Moment) => ReturnType<Handler>,
): Handler {
  return (call, moment) => {
    const consent = sandboxConsent(call.params.consentId ?? '');
    return consent === undefined ? refuse(call, 'CONSENT_UNKNOWN') : handle(call, consent, moment);
  };
}
