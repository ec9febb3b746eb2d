/** The SCA at the sandbox bank: its one PSU, whose steps the ledger remembers. */
import { SECOND_FACTOR } from '../../bank/index.js';
import type { Answer, Call } from '../../exchange/index.js';
import { SANDBOX_PSU, type ScaApproach } from '../../spec/index.js';
import { refuse } from '../answer-refusal.js';
import { attemptsOf } from '../log-in-attempts.js';
import type { Bank, Moment } from './bank.js';
import {
  answerStart,
  answerStep,
  approachHeader,
  approachOf,
  creationLinks,
  creationMembers,
  refuseStep,
  type Subject,
} from './creations.js';
import { CONFIRMS_AFTER_MS, type FlowAim, flowFor, flowStatus, openFlow, sandboxStatus } from './flows.js';
import { readScaInput } from './sca-input.js';
import { firstStep, type ScaBank, type Standing, takeUpdate } from './sca-steps.js';

const PSU_MESSAGE = `The PSU confirms in the app of the bank, ${CONFIRMS_AFTER_MS / 1_000} seconds from now.`;

const psus = (
  { links: { dialect }, attempts }: Bank,
  call: Call,
  { ledger, now }: Moment,
  isExempt = false,
): ScaBank => ({
  dialect,
  attempts: attemptsOf(attempts, ledger, call, now),
  psuNamed: (name) => (name === SANDBOX_PSU.id ? name : undefined),
  hasPassword: (_, password) => password === SANDBOX_PSU.password,
  misfitOf: () => null,
  likelyPsu: () => SANDBOX_PSU.id,
  code: SECOND_FACTOR,
  isConfirmation: () => false,
  isExempt,
});

/** The parts of the answer to a creation that tell of the SCA; `isExplicit`: the TPP starts it. */
export function beginWithCreation(
  bank: Bank,
  call: Call,
  moment: Moment,
  subject: Subject,
  isExplicit: boolean,
) {
  const { links } = bank;
  const approach = approachOf(links.dialect, call);
  const header = approachHeader(approach);
  if (isExplicit) return { header, members: {}, _links: creationLinks(links, call, subject, approach) };
  const opened = firstStep(call, { id: openFlow(bank, call), approach }, psus(bank, call, moment), true);
  if ('code' in opened) return refuseStep(call, opened);
  const members = creationMembers(links, { authorisation: opened, psuMessage: PSU_MESSAGE });
  return { header, members, _links: creationLinks(links, call, subject, opened) };
}

export function startFlow(
  bank: Bank,
  call: Call,
  moment: Moment,
  subject: Subject,
  isExempt = false,
): Answer {
  const { links } = bank;
  const opened = { id: openFlow(bank, call), approach: approachOf(links.dialect, call) };
  const authorisation = firstStep(call, opened, psus(bank, call, moment, isExempt), false);
  return 'code' in authorisation
    ? refuseStep(call, authorisation)
    : answerStart(links, call, subject, { authorisation, psuMessage: PSU_MESSAGE });
}

const APPROACHES = {
  REDIRECT: 'redirect',
  DECOUPLED: 'decoupled',
  EMBEDDED: 'embedded',
} as const satisfies Record<string, ScaApproach>;

/** A step by PUT. A fixed authorisation stays in its status. */
export function continueFlow(
  bank: Bank,
  call: Call,
  subject: Subject & FlowAim,
  moment: Moment,
  isExempt = false,
): Answer {
  const status = flowStatus(moment, call, subject) ?? sandboxStatus(call);
  if (status === undefined) return refuse(call, 'RESOURCE_UNKNOWN');
  const flow = flowFor(moment.ledger, call, subject);
  const approach =
    flow === undefined ? 'embedded' : flow.sca === undefined ? 'redirect' : APPROACHES[flow.sca.approach];
  const psu = status === 'received' ? null : SANDBOX_PSU.id;
  const standing: Standing = { id: call.params.authorisationId ?? '', approach, status, psu };
  const authorisation = takeUpdate(standing, readScaInput(call), {
    ...psus(bank, call, moment, isExempt),
    isConfirmation: (code) => bank.fingerprint(code) === flow?.sca?.confirmation,
  });
  return 'code' in authorisation
    ? refuseStep(call, authorisation)
    : answerStep(bank.links, call, subject, { authorisation, psuMessage: PSU_MESSAGE });
}
