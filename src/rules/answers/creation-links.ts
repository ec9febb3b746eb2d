import { isObject } from '../../exchange/index.js';
import type { Dialect } from '../../spec/index.js';
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
    const { implicit, explicit } = waysOf(options.dialect);
    const approach = answer.header['aspsp-sca-approach'];
    // The bank asks the PSU itself: the TPP has only to wait.
    if (approach === 'DECOUPLED' && names.includes('scaStatus')) return missing(IMPLICIT, names);
    if (explicit.length === 0) return judgeImplicit(names, implicit);
    if (implicit.length === 0) return judgeExplicit(names, explicit, implicit);
    const preferred = call.header['tpp-explicit-authorisation-preferred'];
    // Without the header the bank chooses (reading implicit-by-default): it is held to what it chose.
    const isChosen = preferred === undefined || approach === 'EMBEDDED' || approach === 'DECOUPLED';
    const isExplicit = isChosen
      ? first(implicit, names) === undefined && first(explicit, names) !== undefined
      : preferred === 'true';
    return isExplicit ? judgeExplicit(names, explicit, implicit) : judgeImplicit(names, implicit);
  },
});

/** `startAuthorisation`, and its longer forms such as `startAuthorisationWithPsuIdentification`. */
const START = 'startAuthorisation';

const LEADS = { oauth: ['scaOAuth'], redirect: ['scaRedirect'], embedded: [], decoupled: [] } as const;

interface Ways {
  readonly implicit: readonly string[];
  readonly explicit: readonly string[];
}

/** Links that lead on to the SCA: of the bank's profile, else of the built-in interface. An empty list: the bank has not that way. */
const waysOf = ({ creationLinks, approaches }: Dialect): Ways => ({
  implicit: creationLinks?.implicit ?? [...approaches].flatMap((approach) => LEADS[approach]),
  explicit: creationLinks?.explicit ?? [START],
});

/** The first link that is there. */
const first = (wanted: readonly string[], names: readonly string[]): string | undefined =>
  names.find((name) => wanted.includes(name) || (wanted.includes(START) && name.startsWith(START)));

function judgeImplicit(names: readonly string[], implicit: readonly string[]): Outcome {
  const found = first(implicit, names);
  // A link that starts an authorisation tells that there is none yet.
  const violations = missing(found?.startsWith(START) === true ? EXPLICIT : IMPLICIT, names);
  if (found === undefined) violations.unshift(absent(implicit));
  return violations;
}

function judgeExplicit(
  names: readonly string[],
  explicit: readonly string[],
  implicit: readonly string[],
): Outcome {
  const violations = missing(EXPLICIT, names);
  if (first(explicit, names) === undefined) violations.unshift(absent(explicit));
  const other = names.find((name) => implicit.includes(name) && first(explicit, [name]) === undefined);
  if (other !== undefined) {
    violations.push(
      violation(
        `answer body _links.${other}`,
        'no such link: the TPP asked to create the authorisation itself',
        'a link',
      ),
    );
  }
  return violations;
}

function missing(wanted: readonly string[], names: readonly string[]): Violation[] {
  return wanted
    .filter((name) => !names.includes(name))
    .map((name) => ({ ...absent([name]), atMost: 'should' }));
}

function absent([name = '', ...others]: readonly string[]): Violation {
  const expected = others.length === 0 ? 'a link' : `a link, or one of ${others.join(', ')}`;
  return violation(`answer body _links.${name}`, expected, 'absent');
}
