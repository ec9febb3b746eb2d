/** Consents of the living bank: created, read, deleted, and their authorisations. */
import {
  authorisationChange,
  type BankConsent,
  consentChange,
  consentStatusAt,
  endConsent,
  needsScaAgain,
  openAuthorisation,
  openConsent,
  scaStatusAt,
} from '../../bank/index.js';
import type { Call } from '../../exchange/index.js';
import { bankDayAt, dateOf } from '../../spec/index.js';
import { refuse } from '../answer-refusal.js';
import type { Answered } from '../answerer.js';
import {
  approachHeader,
  approachOf,
  creationLinks,
  creationMembers,
  isExplicit,
  notificationSupport,
  type Subject,
  selfOf,
} from '../emulator/creations.js';
import { answerJson, openReply } from '../render.js';
import { refusalOfCreation } from './account-access.js';
import type { LivingBank, LivingHandler, LivingHandlers, LivingMoment } from './living.js';
import { addressesIn, MOST_AUTHORISATIONS } from './openings.js';
import { consentRecord } from './resource-records.js';
import { afterConfirmation, continueSca, openWith, startSca } from './sca/steps.js';

export function createLivingConsents(bank: LivingBank) {
  return {
    'consents.create': (call, moment) => create(bank, call, moment),

    'consents.read': onConsent((call, consent, { now, books: { population } }) => ({
      answer: answerJson(
        call,
        'emulator',
        200,
        consentRecord({ links: bank.links, population }, consent, now),
      ),
    })),

    'consents.status': onConsent((call, consent, { now }) => ({
      answer: answerJson(call, 'emulator', 200, { consentStatus: consentStatusAt(consent, now) }),
    })),

    // A resource that has ended keeps its status, and can still be deleted.
    'consents.delete': onConsent((call, consent, { now }) => ({
      answer: openReply(call, { source: 'emulator', status: 204 }),
      changes: endConsent(consent, 'terminatedByTpp', now),
    })),

    'consents.authorisations.create': onConsent((call, consent, moment) =>
      authorise(bank, call, consent, moment),
    ),

    'consents.authorisations.list': onConsent((call, { authorisations }) => ({
      answer: answerJson(call, 'emulator', 200, { authorisationIds: authorisations }),
    })),

    'consents.authorisations.read': onConsent((call, consent, moment) => {
      const authorisation = moment.bank.bankAuthorisations.get(call.params.authorisationId ?? '');
      if (authorisation === undefined || !consent.authorisations.includes(authorisation.id))
        return { answer: refuse(call, 'RESOURCE_UNKNOWN') };
      const scaStatus = scaStatusAt(authorisation, moment.now);
      return { answer: answerJson(call, 'emulator', 200, { scaStatus }) };
    }),

    'consents.authorisations.update': onConsent((call, consent, moment) => {
      const authorisation = moment.bank.bankAuthorisations.get(call.params.authorisationId ?? '');
      if (authorisation === undefined || !consent.authorisations.includes(authorisation.id))
        return { answer: refuse(call, 'RESOURCE_UNKNOWN') };
      const of = { authorisation, resource: consent };
      return continueSca(bank, call, moment, subjectOf(consent.id), of);
    }),
  } satisfies LivingHandlers;
}

/** Nothing can be kept for a caller that nobody knows, who gets the sandbox bank's. */
function create(bank: LivingBank, call: Call, moment: LivingMoment): Answered | null {
  const { tpp } = call;
  if (tpp === null) return null;
  const { now, books } = moment;
  const { links } = bank;
  const refusal = refusalOfCreation(bank, call, moment, 'AIS');
  if (refusal !== null) return { answer: refusal };
  const approach = approachOf(links.dialect, call);
  const explicit = isExplicit(call, links.dialect, approach);
  const body = call.content.kind === 'json' ? call.content.value : undefined;
  const request = { id: bank.ids.authorisation(), tpp, body, explicit, ...addressesIn(call) };
  const consent = openConsent(request, books.population, links.dialect, now);
  if ('code' in consent) {
    const { code, path, text } = consent;
    return { answer: refuse(call, code, { status: 400, path, text }) };
  }
  const subject = subjectOf(consent.id);
  const of = { resource: consent, of: 'consent', isCreation: true } as const;
  const opened = explicit ? null : openWith(bank, call, moment, of);
  if (opened !== null && 'status' in opened) return { answer: opened };
  const _links = creationLinks(links, call, subject, opened?.shown.authorisation ?? approach);
  // A TPP that never reads the consent plans with the days that the bank always grants.
  const isLonger = consent.validUntil > dateOf(bankDayAt(now) + links.dialect.consentDays);
  const granted = isLonger ? { validUntil: consent.validUntil } : {};
  const members = { ...granted, ...(opened === null ? {} : creationMembers(links, opened.shown)) };
  const value = { consentStatus: 'received', consentId: consent.id, ...members, _links };
  const headers = [
    ['Location', selfOf(links, subject)],
    approachHeader(approach),
    ...notificationSupport(call),
  ] as const;
  if (opened === null)
    return { answer: answerJson(call, 'emulator', 201, value, headers), changes: [consentChange(consent)] };
  const authorisation = openAuthorisation(opened.opening, now);
  return {
    answer: answerJson(call, 'emulator', 201, value, headers),
    changes: [
      consentChange({ ...consent, authorisations: [authorisation.id] }),
      authorisationChange(authorisation),
    ],
  };
}

/** Reading `second-authorisation-status`; one that nobody has walked to its end does not stand in the way. */
function authorise(bank: LivingBank, call: Call, consent: BankConsent, moment: LivingMoment): Answered {
  const status = consentStatusAt(consent, moment.now);
  const waits =
    (consent.explicit && status === 'received') ||
    status === 'partiallyAuthorised' ||
    needsScaAgain(consent, moment.now);
  if (!waits || consent.authorisations.length >= MOST_AUTHORISATIONS) {
    const text = status === 'received' ? undefined : `The consent is ${status}.`;
    return { answer: refuse(call, 'STATUS_INVALID', text === undefined ? {} : { text }) };
  }
  return startSca(bank, call, moment, subjectOf(consent.id), consent);
}

const subjectOf = (consentId: string): Subject => ({ of: 'consent', params: { consentId } });

/** A consent belongs to its TPP: for any other it does not exist. */
function onConsent(
  handle: (call: Call, consent: BankConsent, moment: LivingMoment) => Answered,
): LivingHandler {
  return (call, moment) => {
    const { bankConsents } = moment.bank;
    const consent = bankConsents.get(call.params.consentId ?? '');
    if (consent === undefined || consent.tpp !== call.tpp) return { answer: refuse(call, 'CONSENT_UNKNOWN') };
    return afterConfirmation(moment, consent.authorisations, () =>
      handle(call, bankConsents.get(consent.id) ?? consent, moment),
    );
  };
}
