import type { AuthorizeFact } from '../../ledger/index.js';
import { isChallenge, isPlain, isVerifier, s256, toBase64url } from '../checks/challenge.js';
import { formOnce } from '../checks/parameters.js';
import { authorizesBefore, isAnyones, isOfKnownAuthorize } from '../checks/token-flow.js';
import { defineRule, violation } from '../rule.js';

/** A challenge in its usual form; of a longer one its beginning. */
const LONGEST_SHOWN = 43;

export default defineRule({
  id: 'oauth/verifier-matches-challenge',
  statement:
    'The S256 (or plain) transform of code_verifier equals the code_challenge of an authorization request of this client (not observed where no authorization request of this client for that resource was seen)',
  clauses: ['authentication.2'],
  sources: ['RFC7636 4.6'],
  severity: { sandbox: 'note', production: 'must' },
  appliesTo: ['oauth.token'],
  needs: ['grant:authorization_code', 'clear:body code_verifier'],
  refusal: { token: 'invalid_grant' },
  why: 'The bank takes the code for stolen, and gives no token.',
  fix: 'Keep the verifier with the state of the authorization request, send the one that belongs to it, and say code_challenge_method=S256 where the challenge is its hash.',
  examples: {
    complies:
      'code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk, after code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    violates: 'a new code_verifier, after the same',
  },
  check: (context) => {
    const verifier = formOnce(context.call, 'code_verifier');
    if (verifier === undefined) return 'not-applicable';
    if (!isVerifier(verifier)) return 'not-applicable';
    const authorizes = authorizesBefore(context);
    if (authorizes.length === 0) return 'not-observed';
    const hash = s256(verifier);
    if (authorizes.some((fact) => matches(fact, verifier, hash))) return true;
    // The hash shows that they belong together, whatever else is known of the code.
    const compared = authorizes.find((fact) => isHashAsPlain(fact, hash));
    if (compared !== undefined)
      return violation(
        'body code_verifier',
        `the code_challenge itself: the authorize call sent ${compared.method === '' ? 'no code_challenge_method, which means plain' : 'code_challenge_method=plain'}`,
        `a verifier whose S256 hash is the challenge, ${hash}`,
      );
    // Faults of the authorize call are findings there, and not here again.
    if (authorizes.every(wasAtFault)) return 'not-applicable';
    if (!isOfKnownAuthorize(context) || authorizes.every(isAnyones)) return 'not-observed';
    return violation(
      'body code_verifier',
      `the verifier of ${describeAuthorize(authorizes.at(-1) as AuthorizeFact)}`,
      `a verifier whose S256 hash is ${hash}`,
    );
  },
});

function describeAuthorize({ at, challenge }: AuthorizeFact): string {
  return `the challenge ${challenge.slice(0, LONGEST_SHOWN)} of the authorize call at ${new Date(at).toISOString()}`;
}

/** Base64 in another alphabet or with padding is the same digest: oauth/challenge-well-formed has named it. */
function matches({ method, challenge }: AuthorizeFact, verifier: string, hash: string): boolean {
  return isPlain(method) ? challenge === verifier : toBase64url(challenge) === hash;
}

/** Authorize only advises against it, and the code is given; but the token never is. */
function isHashAsPlain({ method, challenge }: AuthorizeFact, hash: string): boolean {
  return isPlain(method) && toBase64url(challenge) === hash;
}

function wasAtFault({ method, challenge }: AuthorizeFact): boolean {
  return !isChallenge(challenge, method) && !isChallenge(toBase64url(challenge), method);
}
