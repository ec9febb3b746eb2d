import { isObject } from '../../exchange/index.js';
import type { BankProfile } from '../../spec/index.js';
import { answerMember } from '../checks/bank-answer.js';
import { isCreation } from '../checks/known-calls.js';
import { defineRule, type Outcome, type Violation, violation } from '../rule.js';

/** Links that a client can do without: it knows the addresses. */
const IMPLICIT = ['scaStatus', 'self', 'status'];
const EXPLICIT = ['self', 'status'];

export default defineRule({
  id: 'answers/creation-links',
  statement:
    'An implicit creation links scaOAuth, an explicit one startAuthorisation and no scaOAuth; both link self and status, an implicit one scaStatus (these: should)',
  clauses: ['creation-response.scaOAuth', 'payment-response.scaOAuth', 'creation.1', 'creation.2'],
  sources: ['BG'],
  judges: 'aspsp',
  appliesTo: isCreation,
  needs: ['bank-success', 'answer-json'],
  why: 'Without the links the TPP cannot send the PSU to the bank, or cannot create the authorisation it asked for.',
  fix: 'Link scaOAuth, scaStatus, self and status where the authorisation is implicit; startAuthorisation, self and status where it is not.',
  examples: {
    complies:
      'TPP-Explicit-Authorisation-Preferred: false, answered with _links of scaOAuth, scaStatus, self and status',
    violates: 'TPP-Explicit-Authorisation-Preferred: true, answered with a scaOAuth link',
  },
  check: ({ call, answer, options }) => {
    const links = answerMember(answer, '_links');
    if (!isObject(links)) return 'not-applicable';
    const names = Object.keys(links);
    // A payment refused at once needs no authorisation.
    if (answerMember(answer, 'transactionStatus') === 'RJCT') return missing(EXPLICIT, names);
    const own = options.dialect.profile?.sca?.links;
    if (own !== undefined) return judgeOwn(names, own);
    const preferred = call.header['tpp-explicit-authorisation-preferred'];
    // Without the header the bank chooses (reading implicit-by-default): it is held to what it chose.
    const explicit =
      preferred === undefined ? !names.includes('scaOAuth') && hasStart(names) : preferred === 'true';
    return explicit ? judgeExplicit(names) : judgeImplicit(names);
  },
});

/** `startAuthorisation`, or one of its longer forms such as `startAuthorisationWithPsuIdentification`. */
function hasStart(names: readonly string[]): boolean {
  return names.some((name) => name.startsWith('startAuthorisation'));
}

function judgeImplicit(names: readonly string[]): Outcome {
  const violations = missing(IMPLICIT, names);
  if (!names.includes('scaOAuth')) violations.unshift(absent('scaOAuth'));
  return violations;
}

type OwnLinks = NonNullable<NonNullable<BankProfile['sca']>['links']>;

/** The links of a bank profile: one of them must lead on to the SCA. */
function judgeOwn(names: readonly string[], { implicit = [], explicit = [] }: OwnLinks): Outcome {
  const isImplicit = names.some((name) => implicit.includes(name));
  const violations = missing(isImplicit ? IMPLICIT : EXPLICIT, names);
  const wanted = [...new Set([...implicit, ...explicit])];
  if (!isImplicit && !names.some((name) => explicit.includes(name)))
    violations.unshift(violation('answer body _links', `one of ${wanted.join(', ')}`, names.join(', ')));
  return violations;
}

function judgeExplicit(names: readonly string[]): Outcome {
  const violations = missing(EXPLICIT, names);
  if (!hasStart(names)) violations.unshift(absent('startAuthorisation'));
  if (names.includes('scaOAuth')) {
    violations.push(
      violation(
        'answer body _links.scaOAuth',
        'no such link: the TPP asked to create the authorisation itself',
        'one',
      ),
    );
  }
  return violations;
}

function missing(wanted: readonly string[], names: readonly string[]): Violation[] {
  return wanted
    .filter((name) => !names.includes(name))
    .map((name) => ({ ...absent(name), atMost: 'should' }));
}

function absent(name: string): Violation {
  return violation(`answer body _links.${name}`, 'a link', 'absent');
}
