/** The built-in bank. Its answers depend only on the call, the ledger and the time. */
import type { Answer, Call, Fingerprint } from '../../exchange/index.js';
import { type Dialect, EVERY_OPERATION_ID, type OperationId, type SandboxData } from '../../spec/index.js';
import { answerRefusal, refuse } from '../answer-refusal.js';
import type { AnswerContext, Answered, Answerer } from '../answerer.js';
import { homePage } from '../home-page.js';
import { bankPageAt } from '../living/bank-pages.js';
import { createLogInAttempts } from '../log-in-attempts.js';
import { answerPage } from '../page.js';
import { answerJson } from '../render.js';
import { createAccountHandlers } from './accounts.js';
import { createAuthorize } from './authorize.js';
import type { Bank, Handler } from './bank.js';
import { createConsentHandlers } from './consents.js';
import { createFundsHandlers } from './funds.js';
import { createLinks, type Links, type LinksParts } from './links.js';
import { createNotificationHandlers } from './notifications.js';
import { createPaymentHandlers } from './payments.js';
import { MOST_ATTEMPTS } from './sca-steps.js';
import { createDiscovery, createToken } from './token.js';

export interface EmulatorParts extends LinksParts {
  readonly data: SandboxData;
  /** `token`: 96 hexadecimal characters, `authorisation`: a UUID in small letters; never the same twice. */
  readonly ids: Bank['ids'];
  /** The fingerprint of the ledger, which holds tokens and codes in no other form. */
  readonly fingerprint: Fingerprint;
  readonly onNotification: Bank['onNotification'];
}

export interface Emulator extends Answerer {
  readonly name: 'emulator';
  readonly answer: (call: Call, context: AnswerContext) => Answered;
}

/** A bank refuses what the rules make an error in either stance; what they let pass, its handlers answer. */
export function createEmulator(parts: EmulatorParts): Emulator {
  const links = createLinks(parts);
  const handlers = createHandlers({ ...parts, links, attempts: createLogInAttempts(MOST_ATTEMPTS) });
  const home = { bank: parts.data.accounts.bank.name, urls: parts.urls, access: null };
  const answerAsSandbox = (call: Call, context: AnswerContext): Answered => {
    if (context.refusal !== null) return { answer: answerRefusal(context.refusal, call, 'emulator') };
    if (call.operation !== null) return { answer: handlers[call.operation](call, context) };
    const answer = isHome(call, parts.dialect)
      ? answerPage(call, 'emulator', 200, homePage(call, home))
      : (answerBeside(links, call) ?? answerUnknown(call));
    return { answer };
  };
  return {
    name: 'emulator',
    answer: answerAsSandbox,
    knowsMore: () => false,
    refusesStrangers: () => true,
  };
}

function createHandlers(bank: Bank) {
  return {
    ...createConsentHandlers(bank),
    'oauth.authorize': createAuthorize(bank),
    'sca.redirect': createAuthorize(bank),
    'oauth.token': createToken(bank),
    'oauth.discovery': createDiscovery(bank),
    ...createAccountHandlers(bank),
    ...createPaymentHandlers(bank),
    ...createFundsHandlers(bank),
    ...createNotificationHandlers(bank),
  } satisfies Record<OperationId, Handler>;
}

function isHome({ listener, request: { method, path } }: Call, dialect: Dialect): boolean {
  return listener === 'psu' && bankPageAt(dialect, method, path) === 'home';
}

/** Answers what the bank offers beside the standard, as its profile says. */
function answerBeside({ dialect, to, authorizePath, psu }: Links, call: Call): Answer | null {
  const { method, path } = call.request;
  const answers = dialect.answersBeside(method, path);
  if (answers === undefined) return null;
  const written = Object.entries(answers).map(([name, text]) => [
    name,
    text.replaceAll(/\{([a-z.-]+)\}/g, (whole, id: string) => {
      if (id === 'oauth.authorize') return `${psu()}${authorizePath('')}`;
      const operation = EVERY_OPERATION_ID.find((one) => one === id);
      return operation !== undefined && dialect.offers(operation) ? to(operation) : whole;
    }),
  ]);
  return answerJson(call, 'emulator', 200, Object.fromEntries(written));
}

/** Rules refuse these before; where they are switched off, the bank still does not know them. */
function answerUnknown(call: Call): Answer {
  return call.allow === undefined ? refuse(call, 'RESOURCE_UNKNOWN') : refuse(call, 'SERVICE_INVALID');
}
