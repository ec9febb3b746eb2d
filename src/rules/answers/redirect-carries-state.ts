import { parametersOf, queryValue } from '../../exchange/index.js';
import { authorisationOf, codeKey, codeOf, consentOf, ownerOf, paymentOf } from '../../ledger/index.js';
import { formOnce } from '../checks/parameters.js';
import { defineRule, type ExchangeContext, type Outcome, type Violation, violation } from '../rule.js';

export default defineRule({
  id: 'answers/redirect-carries-state',
  statement:
    'The redirect to the TPP carries code or error, and the state unchanged (not observed if the PSU came back without passing the gateway)',
  clauses: ['endpoint.oauth.authorize', 'sca.redirect'],
  sources: ['RFC6749 4.1.2'],
  judges: 'aspsp',
  appliesTo: ['oauth.authorize', 'oauth.token'],
  needs: ['bank-answer'],
  why: 'Without code or error the TPP is stranded, without the state it must take the redirect for forged.',
  fix: 'Redirect with code or error, and append the state exactly as it came.',
  examples: {
    complies: 'Location: https://tpp.example/cb?code=…&state=af0ifjsldkj',
    violates: 'Location: https://tpp.example/cb?code=…',
  },
  check,
});

function check(context: ExchangeContext): Outcome {
  const { call, answer } = context;
  const { status, header } = answer;
  if (call.operation === 'oauth.token') return camePast(context) ? 'not-observed' : 'not-applicable';
  if (status !== 302 && status !== 303) return 'not-applicable';
  if (header.location === undefined) {
    return violation('answer header Location', 'the redirect URI', 'absent');
  }
  // On its way the PSU may be sent through pages of the bank's own.
  if (!leadsToTpp(header.location, context)) return 'not-applicable';
  const given = parametersOf(header.location);
  const violations: Violation[] = [];
  if (!given.get('code') && !given.get('error')) {
    violations.push(
      violation(
        'answer header Location',
        'an address with code or error in its query',
        'an address without them',
      ),
    );
  }
  const sent = queryValue(call, 'state');
  const returned = given.get('state');
  // A state without a value may be taken for none (RFC 6749 3.1).
  if (sent !== undefined && !isSame(sent, returned ?? '', context)) {
    violations.push(
      violation(
        'answer header Location',
        `an address with state=${sent}`,
        returned === null ? 'an address without state' : `an address with state=${returned}`,
      ),
    );
  }
  return violations;
}

/** The bank takes a code that no redirect brought here. */
function camePast({ call, answer, ledger, fingerprint }: ExchangeContext): boolean {
  const code = formOnce(call, 'code');
  if (answer.status !== 200 || code === undefined || formOnce(call, 'grant_type') !== 'authorization_code')
    return false;
  return codeOf(ledger, codeKey(code, fingerprint), ownerOf(call))?.issuedAt == null;
}

/** Stored, one of the two may stand as a fingerprint; fingerprinting a fingerprint changes nothing. */
function isSame(sent: string, returned: string, { fingerprint }: ExchangeContext): boolean {
  return returned === sent || fingerprint(returned) === fingerprint(sent);
}

function leadsToTpp(location: string, { call, ledger, options }: ExchangeContext): boolean {
  const target = baseOf(location);
  const redirectUri = queryValue(call, 'redirect_uri');
  if (redirectUri !== undefined && baseOf(redirectUri) === target) return true;
  const scope = options.dialect.parseScope(queryValue(call, 'scope') ?? '');
  if (scope === undefined) return false;
  // The PSU's browser has no certificate: the authorisation tells whose resource it is.
  const flow = authorisationOf(ledger, call.params.authorisationId ?? '');
  // An id shared by several TPPs names nobody's flow.
  if (ownerOf(call) === null && flow?.shared === true) return true;
  const find = scope.service === 'PIS' ? paymentOf : consentOf;
  const created = find(ledger, ownerOf(call) ?? flow?.tpp ?? null, scope.id);
  const addresses = [flow, created].flatMap((fact) => [fact?.redirectUri, fact?.nokRedirectUri]);
  return addresses.some((uri) => uri != null && baseOf(uri) === target);
}

/** An address without query and fragment, written in one way where it is a URL. */
function baseOf(address: string): string {
  const bare = address.split(/[?#]/, 1)[0] ?? '';
  return URL.canParse(bare) ? new URL(bare).href : bare;
}
