/** The authorization request: the SCA page, the information page of an outcome, and the redirect to the TPP. */
import { type Answer, type Call, isSameAddress, queryValue } from '../../exchange/index.js';
import {
  isReturnAddress,
  isScaScenario,
  SANDBOX_CODES,
  SCA_SCENARIOS,
  type ScaScenario,
} from '../../spec/index.js';
import { confirmsBy } from '../outcome-choices.js';
import { answerErrorPage } from '../page.js';
import { answerRedirect, appendQuery } from '../render.js';
import { type AuthorizeRequest, readAuthorizeRequest, readRedirectRequest } from './authorize-request.js';
import type { Bank, Handler } from './bank.js';
import { answerInformationPage, answerScaPage, requestAgain } from './sca-pages.js';

export function createAuthorize(bank: Bank): Handler {
  return (call, { ledger, now }) => {
    const read = call.operation === 'sca.redirect' ? readRedirectRequest : readAuthorizeRequest;
    const request = read(call, ledger, bank.links.dialect);
    if ('status' in request) return request;
    if (request.resource === null)
      return redirectError(call, request.redirectUri, request, {
        error: 'invalid_scope',
        description: 'The scope names no consent or payment of this bank.',
      });
    const scenario = queryValue(call, 'scenario');
    if (scenario !== undefined)
      return isScaScenario(scenario)
        ? endWith(scenario, bank, call, request)
        : answerUnknownScenario(bank, call, request, scenario);
    const choice = queryValue(call, 'choice');
    if (choice === undefined) return answerScaPage(bank, call, request, now);
    return isScaScenario(choice)
      ? answerInformationPage(bank, call, request, choice)
      : answerUnknownScenario(bank, call, request, choice);
  };
}

function endWith(scenario: ScaScenario, bank: Bank, call: Call, request: AuthorizeRequest): Answer {
  const { error, meaning } = SCA_SCENARIOS[scenario];
  const { redirectUri, state, scope } = request;
  if (request.plain !== undefined) {
    const back = error === null ? redirectUri : (nokRedirectUri(request, bank) ?? redirectUri);
    const isToConfirm = confirmsBy(request.plain, scenario);
    const to = isToConfirm ? appendQuery(back, { confirmationCode: bank.ids.token() }) : back;
    return answerRedirect(call, 'emulator', to);
  }
  if (error === null) {
    const code = LITERAL_CODES.get(scope) ?? bank.ids.token();
    return answerRedirect(call, 'emulator', appendQuery(redirectUri, { code, state }));
  }
  const uri = nokRedirectUri(request, bank) ?? redirectUri;
  return redirectError(call, uri, request, { error, description: `${scenario}: ${meaning}` });
}

/** A scope of the document has its literal code; that of any other resource is made, and known to the ledger. */
const LITERAL_CODES: ReadonlyMap<string, string> = new Map(
  Object.entries(SANDBOX_CODES).map(([code, scope]) => [scope, code]),
);

/** TPP-Nok-Redirect-URI of the flow's creation, where that had this redirect URI (reading `nok-redirect-uri`). */
function nokRedirectUri({ flow, redirectUri }: AuthorizeRequest, { fingerprint }: Bank) {
  const isOfCreation = flow?.redirectUri == null || isSameAddress(flow.redirectUri, redirectUri, fingerprint);
  const uri = isOfCreation ? flow?.nokRedirectUri : undefined;
  return uri != null && isReturnAddress(uri) ? uri : undefined;
}

function redirectError(
  call: Call,
  uri: string,
  { state }: AuthorizeRequest,
  { error, description }: { error: string; description: string },
): Answer {
  const location = appendQuery(uri, { error, error_description: description, state });
  return answerRedirect(call, 'emulator', location);
}

function answerUnknownScenario(bank: Bank, call: Call, request: AuthorizeRequest, scenario: string): Answer {
  const texts = [
    `The bank simulates no outcome ${scenario.slice(0, 100)}.`,
    `It simulates ${Object.keys(SCA_SCENARIOS).join(', ')}.`,
  ];
  const nothing = { error: 'access_denied', error_description: 'Nothing was authorised by this request.' };
  const uri = nokRedirectUri(request, bank) ?? request.redirectUri;
  const ways = {
    back: request.plain !== undefined ? uri : appendQuery(uri, { ...nothing, state: request.state }),
    again: requestAgain(bank, call, request),
  };
  return answerErrorPage(call, 'emulator', {
    status: 400,
    title: 'Unknown scenario',
    texts,
    ways,
    bank: bank.data.accounts.bank.name,
  });
}
