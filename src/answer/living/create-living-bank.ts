/** The bank with a memory: what TPPs create gets fresh ids, and what happens to it is remembered. */
import { BANK_BYTES, booksAt, type LivingPopulation, lookSettled } from '../../bank/index.js';
import { type Call, queryValue } from '../../exchange/index.js';
import type { OperationId } from '../../spec/index.js';
import { answerRefusal, refuse } from '../answer-refusal.js';
import type { AnswerContext, Answered } from '../answerer.js';
import type { Emulator, EmulatorParts } from '../emulator/create-emulator.js';
import { createLinks } from '../emulator/links.js';
import { MOST_ATTEMPTS } from '../emulator/sca-steps.js';
import { createLogInAttempts } from '../log-in-attempts.js';
import { refusalWithConsent } from './account-access.js';
import { createLivingAccounts } from './accounts.js';
import { createBodyMemory } from './body-memory.js';
import { createLivingConsents } from './consents.js';
import { createBankPages } from './create-bank-pages.js';
import { createLivingFunds } from './funds.js';
import { type LivingBank, type LivingHandler, leaveToSandbox } from './living.js';
import { namesFixed } from './names-fixed.js';
import { createLivingPayments } from './payments.js';
import { changesOfRefusedToken, createLivingDiscovery, createLivingToken } from './token.js';
import { createLivingTransaction, createLivingTransactions } from './transactions.js';

export interface LivingParts extends EmulatorParts {
  /** Answers what names a fixed identifier of the specification, and what was begun there. */
  readonly sandbox: Emulator;
  readonly population: LivingPopulation;
  readonly notifies: LivingBank['notifies'];
  readonly scaLinkMs: LivingBank['scaLinkMs'];
}

export function createLivingBank(parts: LivingParts): Emulator {
  const { handlers, page } = createHandlers(
    { ...parts, links: createLinks(parts), attempts: createLogInAttempts(MOST_ATTEMPTS) },
    parts.urls,
  );
  const changesOfRefused: NonNullable<Emulator['changesOfRefused']> = (call, context) =>
    changesOfRefusedToken(parts, call, context);
  const answerAsLivingBank: Emulator['answer'] = (call, context) => {
    const { refusal } = context;
    if (refusal !== null)
      return {
        answer: answerRefusal(refusal, call, 'emulator'),
        changes: changesOfRefused(call, context),
      };
    const handler =
      call.operation === null
        ? page
        : namesFixed(call, parts.dialect)
          ? leaveToSandbox
          : handlers[call.operation];
    const { ledger, bank, now, stored } = context;
    const books = booksAt({ state: bank, population: parts.population }, now);
    const moment = { ledger, bank, books, now, stored };
    // Reading a payment first settles everything due by now.
    return lookSettled(books, now, () =>
      withRoom(call, context, handler(call, moment) ?? parts.sandbox.answer(call, context)),
    );
  };
  return {
    name: 'emulator',
    refusalOf: refusalWithConsent,
    changesOfRefused,
    knowsMore: () => false,
    refusesStrangers: () => true,
    answer: answerAsLivingBank,
  };
}

/** Refuses additions of a TPP if there is no room. Actions of a PSU still work. */
function withRoom(call: Call, context: AnswerContext, answered: Answered): Answered {
  const { changes = [] } = answered;
  // A request for a token opens something of its client, though it is a browser that comes.
  const isForToken = changes.some(({ fact }) => fact !== null && 'of' in fact && fact.of === 'token');
  const tpp = call.tpp ?? (isForToken ? (queryValue(call, 'client_id') ?? null) : null);
  if (tpp === null || changes.length === 0 || context.room === undefined) return answered;
  const leaving = context.room(tpp, changes);
  if (leaving === null) return { answer: refuse(call, 'SERVICE_UNAVAILABLE', { text: NO_ROOM }) };
  return leaving.length === 0 ? answered : { ...answered, changes: [...changes, ...leaving] };
}

const NO_ROOM = `The living bank remembers ${BANK_BYTES.ofTpp >> 20} MiB for each TPP, and ${BANK_BYTES.ofAll >> 20} MiB in all, and all of it is in use. What has ended makes room: end consents, cancel payments, or have the bank reset by its operator.`;

/** `page` answers the bank's own pages, which are no operations; it returns null for all other unknown calls. */
function createHandlers(bank: LivingBank, urls: LivingParts['urls']) {
  const { authorize, page } = createBankPages(bank, urls);
  const remember = createBodyMemory(bank.links);
  return {
    handlers: {
      ...createLivingConsents(bank),
      'oauth.authorize': authorize,
      'sca.redirect': authorize,
      'oauth.token': createLivingToken(bank),
      'oauth.discovery': createLivingDiscovery(bank),
      ...createLivingAccounts(bank, remember),
      'accounts.transactions': createLivingTransactions(bank, remember),
      ...createLivingPayments(bank),
      ...createLivingFunds(bank),
      'accounts.transaction': createLivingTransaction(bank),
      'notifications.simulate': leaveToSandbox,
    } satisfies Record<OperationId, LivingHandler>,
    page,
  };
}
