/** Consents: created, read, deleted, and their authorisations. */
import type { Answer, Call } from '../../exchange/index.js';
import { consentOf } from '../../ledger/index.js';
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
import { approachOf, isExplicit, notificationSupport, type Subject, selfOf } from './creations.js';
import { flowStatus, isAuthorised, listedAuthorisations, sandboxStatus } from './flows.js';
import { href } from './links.js';
import { beginWithCreation, continueFlow, startFlow } from './sandbox-sca.js';
import { refusalByToken } from './token-first.js';

export function createConsentHandlers(bank: Bank): Handlers<'consents'> {
  return {
    'consents.create': (call, moment) => createConsent(bank, call, moment),
    'consents.authorisations.update': (call, moment) => {
      const { consentId = '' } = call.params;
      if (sandboxConsent(consentId) === undefined) return refuse(call, 'CONSENT_UNKNOWN');
      return continueFlow(bank, call, { ...subjectOf(consentId), scope: consentScope(consentId) }, moment);
    },
    'consents.authorisations.create': (call, moment) => createAuthorisation(bank, call, moment),
    'consents.read': known((call, consent, moment) => readConsent(bank, call, consent, moment)),

    'consents.status': known((call, consent, moment) =>
      answerJson(call, 'emulator', 200, { consentStatus: statusOf(call, consent, moment) }),
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
    'consents.authorisations.read': (call, moment) => {
      const { consentId = '' } = call.params;
      const own = flowStatus(moment, call, { scope: consentScope(consentId) });
      if (own === undefined && consentId !== SANDBOX.validConsent) return refuse(call, 'CONSENT_UNKNOWN');
      const scaStatus = own ?? sandboxStatus(call);
      if (scaStatus === undefined) return refuse(call, 'RESOURCE_UNKNOWN');
      return answerJson(call, 'emulator', 200, { scaStatus });
    },
  };
}

function createConsent(bank: Bank, call: Call, moment: Moment): Answer {
  const { links } = bank;
  const refusal = refusalByToken(bank, call, moment, 'AIS');
  if (refusal !== null) return refusal;
  const explicit = isExplicit(call, links.dialect, approachOf(links.dialect, call));
  const consentId = explicit ? SANDBOX.consentWithoutAuthorisation : SANDBOX.validConsent;
  const subject = subjectOf(consentId);
  const begun = beginWithCreation(bank, call, moment, subject, explicit);
  if ('status' in begun) return begun;
  const value = { consentStatus: 'received', consentId, ...begun.members, _links: begun._links };
  return answerJson(call, 'emulator', 201, value, [
    ['Location', selfOf(links, subject)],
    begun.header,
    ...notificationSupport(call),
  ]);
}

function createAuthorisation(bank: Bank, call: Call, moment: Moment): Answer {
  const { consentId = '' } = call.params;
  if (sandboxConsent(consentId) === undefined) return refuse(call, 'CONSENT_UNKNOWN');
  if (consentId !== SANDBOX.consentWithoutAuthorisation) return refuse(call, 'STATUS_INVALID');
  return startFlow(bank, call, moment, subjectOf(consentId));
}

function readConsent(bank: Bank, call: Call, consent: SandboxConsent, moment: Moment): Answer {
  const consentStatus = statusOf(call, consent, moment);
  const day = bankDayAt(moment.now);
  return answerJson(call, 'emulator', 200, {
    ...consentTerms(bank, consent, day),
    lastActionDate: dateOf(day),
    consentStatus,
    ...(consentStatus === 'valid' ? { _links: { account: href(bank.links.to('accounts.list')) } } : {}),
  });
}

/** An explicit creation's consent waits until the PSU authorises it (reading `explicit-consent-status`). */
function statusOf(call: Call, { status }: SandboxConsent, { ledger, now }: Moment): ConsentStatus {
  const { consentId } = call.params;
  if (consentId !== SANDBOX.consentWithoutAuthorisation) return status;
  const created = consentOf(ledger, call.tpp, consentId);
  const isValid = created?.status === 'valid' || isAuthorised(ledger, created?.authorisations ?? [], now);
  return isValid ? 'valid' : status;
}

const subjectOf = (consentId: string): Subject => ({ of: 'consent', params: { consentId } });

function known(
  handle: (call: Call, consent: SandboxConsent, moment: Moment) => ReturnType<Handler>,
): Handler {
  return (call, moment) => {
    const consent = sandboxConsent(call.params.consentId ?? '');
    return consent === undefined ? refuse(call, 'CONSENT_UNKNOWN') : handle(call, consent, moment);
  };
}
