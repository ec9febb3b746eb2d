/** Links lead somewhere: to the bank, and to an operation that it offers. */
import { createTextMemory, jsonPath, type TextMemory } from '../../exchange/index.js';
import { ANSWER_BODIES, createRecogniser } from '../../spec/index.js';
import { type FoundLink, membersOf } from '../checks/answer-members.js';
import { isBankSuccess, mayHaveBody, operationsWhere } from '../checks/bank-answer.js';
import {
  defineRule,
  type ExchangeContext,
  type JudgeOptions,
  type Outcome,
  type Violation,
} from '../rule.js';

const MOST = 10;
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

/** Whether a path is one of the interface, by path segment; there is one in a process, several in a test. */
const interfaces = new Map<string, TextMemory<boolean>>();
const MOST_SEGMENTS = 50;

/** The accounts of a PSU are the same in answer after answer. */
function isKnownPath(path: string, segment: string): boolean {
  let memory = interfaces.get(segment);
  if (memory === undefined) {
    const recognise = createRecogniser(segment);
    memory = createTextMemory((text) => recognise('GET', text).kind !== 'path-unknown');
    if (interfaces.size >= MOST_SEGMENTS) interfaces.clear();
    interfaces.set(segment, memory);
  }
  return memory(path);
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
  const { answer } = context;
  const violations: Violation[] = [];
  const location = answer.status === 201 ? answer.header.location : undefined;
  if (location !== undefined) {
    const expected = problemOf('Location', location, context);
    if (expected !== undefined)
      violations.push({ place: 'answer header Location', expected, actual: location });
  }
  const { links } = membersOf(answer);
  if (links.length > 0) violations.push(...judgeLinks(links, context));
  if (links.length > 0 || location !== undefined) return violations;
  return answer.content.kind === 'not-observed' && mayHaveBody(context) ? 'not-observed' : 'not-applicable';
}

interface Judged {
  readonly options: JudgeOptions;
  readonly host: string | undefined;
  readonly path: string;
  readonly violations: readonly Violation[];
}

/** The emulator answers with the same body again and again. */
const judged = new WeakMap<readonly FoundLink[], Judged>();

function judgeLinks(links: readonly FoundLink[], context: ExchangeContext): readonly Violation[] {
  const { options, call } = context;
  const { host } = call.header;
  const { path } = call.request;
  const known = judged.get(links);
  if (known?.options === options && known.host === host && known.path === path) return known.violations;
  const violations: Violation[] = [];
  for (const link of links) {
    const expected = problemOf(link.name, link.href, context);
    if (expected !== undefined)
      violations.push({ place: `answer body ${jsonPath(link.path)}`, expected, actual: link.href });
    if (violations.length >= MOST) break;
  }
  judged.set(links, { options, host, path, violations });
  return violations;
}

/** What the link ought to be; undefined where it is that. */
function problemOf(name: string, href: string, context: ExchangeContext): string | undefined {
  const target = targetOf(name, href, context);
  if (target === 'no URL') return 'a URL';
  if (target === 'elsewhere') return "an address of the bank's own";
  if (!OF_OPERATIONS.has(name) && !name.startsWith('startAuthorisation')) return undefined;
  const { segment } = context.options;
  return isKnownPath(belowBase(target.path, segment), segment) ? undefined : 'the path of a known operation';
}

/** The interface may lie below a path of the bank's own, which a recording does not tell. */
function belowBase(path: string, segment: string): string {
  const base = path.indexOf(`/${segment}/`);
  return base > 0 ? path.slice(base) : path;
}

type Target = { readonly path: string } | 'elsewhere' | 'no URL';

/** Plain paths, by far the most, are read without parsing them as URLs. */
const PLAIN_PATH = /^\/(?![/\\])[A-Za-z0-9_\-./~%]*(?=[?#]|$)/;
const ORIGIN = /^https?:\/\/[a-z0-9.:[\]-]+(?=\/)/;

function targetOf(name: string, href: string, { call, options }: ExchangeContext): Target {
  const origin = ORIGIN.exec(href)?.[0] ?? '';
  if (origin === '' || options.bankOrigins.has(origin)) {
    const path = PLAIN_PATH.exec(origin === '' ? href : href.slice(origin.length))?.[0];
    if (path !== undefined && !path.includes('/.')) return { path };
  }
  let url: URL;
  try {
    url = new URL(href, `https://bank.invalid${call.request.path}`);
  } catch {
    return 'no URL';
  }
  if (url.host === 'bank.invalid' || options.bankOrigins.has(url.origin)) return { path: url.pathname };
  // The host that was called is the bank's own, whatever else is.
  const host = (call.header.host ?? '').toLowerCase().replace(/:443$/, '');
  return url.host === host || isLoginPage(name, url) ? { path: url.pathname } : 'elsewhere';
}

/** Banks let the PSU log in at a host of its own, which no entry of a file need name; an inner address it is not. */
function isLoginPage(name: string, { protocol, hostname }: URL): boolean {
  return name === 'scaOAuth' && protocol === 'https:' && /\.[a-z][a-z0-9-]*$/.test(hostname);
}
