/** Links lead somewhere: to the bank, and to an operation that it offers. */
import { ANSWER_BODIES, createRecogniser, type Recognise } from '../../spec/index.js';
import { isBankSuccess, mayHaveBody, operationsWhere } from '../checks/bank-answer.js';
import { pathText } from '../checks/schema-violations.js';
import { walkMembers } from '../checks/walk-members.js';
import { defineRule, type ExchangeContext, type Outcome, type Violation } from '../rule.js';

const MOST = 10;
const MOST_LINKS = 1_000;
/** Links that name an operation of the specification. Others (transactionDetails, card, download) lead beyond it. */
const OF_OPERATIONS = new Set([
  'scaOAuth',
  'scaStatus',
  'self',
  'status',
  'account',
  'balances',
  'transactions',
  'first',
  'next',
  'previous',
  'last',
  'Location',
]);

/** Compiled once for each path segment; there is one in a process, several in a test. */
const recognisers = new Map<string, Recognise>();
const MOST_SEGMENTS = 50;

function recogniserOf(segment: string): Recognise {
  const known = recognisers.get(segment);
  if (known !== undefined) return known;
  const made = createRecogniser(segment);
  if (recognisers.size >= MOST_SEGMENTS) recognisers.clear();
  recognisers.set(segment, made);
  return made;
}

export default defineRule({
  id: 'answers/links-are-reachable',
  statement: "Links are relative, or absolute at the bank's own addresses, and name a known operation",
  clauses: [],
  sources: ['BG'],
  judges: 'aspsp',
  severity: { sandbox: 'should', production: 'should' },
  scope: 'exchange',
  appliesTo: operationsWhere((id, row) => ANSWER_BODIES[id] !== null && row.group !== 'oauth'),
  needs: [],
  refusal: null,
  why: 'A client that follows its links ends at another host, or at a path that answers 404.',
  fix: 'Build links from the address and the paths under which the interface is reached from outside.',
  examples: {
    complies: '"self":{"href":"/stdgroup/v1/consents/VALID_CONSENT_ID"}',
    violates: '"self":{"href":"http://10.0.0.7:8080/consent-backend/VALID_CONSENT_ID"}',
  },
  check,
});

function check(context: ExchangeContext): Outcome {
  if (!isBankSuccess(context)) return 'not-applicable';
  const violations: Violation[] = [];
  let seen = 0;
  const take = (name: string, href: string, place: string): void => {
    if (++seen > MOST_LINKS || violations.length >= MOST) return;
    const problem = problemOf(name, href, context);
    if (problem !== undefined) violations.push({ place, expected: problem, actual: href });
  };
  const { answer } = context;
  const location = answer.header.location;
  if (location !== undefined && answer.status === 201) take('Location', location, 'answer header Location');
  if (answer.content.kind === 'json') {
    walkMembers(answer.content.value, (name, value, _, path) => {
      // A link is a member of `_links` that holds an href.
      if (name !== 'href' || typeof value !== 'string' || path.at(-3) !== '_links') return;
      take(String(path.at(-2)), value, `answer body ${pathText(path)}`);
    });
  }
  if (seen > 0) return violations;
  return answer.content.kind === 'not-observed' && mayHaveBody(context) ? 'not-observed' : 'not-applicable';
}

function problemOf(name: string, href: string, { call, options }: ExchangeContext): string | undefined {
  const host = (call.header.host ?? '').toLowerCase().replace(/:443$/, '');
  let url: URL;
  try {
    url = new URL(href, `https://bank.invalid${call.request.path}`);
  } catch {
    return 'a URL';
  }
  const absolute = url.host !== 'bank.invalid';
  // The host that was called is the bank's own, whatever else is.
  if (absolute && url.host !== host && !options.bankOrigins.has(url.origin))
    return "an address of the bank's own";
  if (!OF_OPERATIONS.has(name) && !name.startsWith('startAuthorisation')) return undefined;
  const { kind } = recogniserOf(options.segment)('GET', url.pathname);
  return kind === 'path-unknown' ? 'the path of a known operation' : undefined;
}
