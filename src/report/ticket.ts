/** A ticket for the bank's support: one exchange in Markdown, with all that somebody at the other end needs. */
import { type Answer, isFailedConnection, isForBank, type SessionNote } from '../exchange/index.js';
import { SandgateError } from '../spec/index.js';
import type { RecordedExchange } from '../store/index.js';
import { type BankSeen, certificateLine, createBankOf } from './build/counterparts.js';
import { citeExchange, injectedText } from './build/findings.js';
import { ruleText } from './build/rule-text.js';
import { code, codeBlock, plain } from './formats/markdown.js';
import type { Excerpt } from './model.js';

/** The exchange must be redacted, as one of a store is; `notes` are those of its session. Throws where the bank was not asked. */
export function renderTicket(
  { exchange, findings }: RecordedExchange,
  notes: readonly SessionNote[],
): string {
  const { call, answer, elapsed, fault, injected } = exchange;
  const isOwn = answer?.source === 'rule' || (answer?.source === 'gateway' && !isForBank(answer));
  if (isOwn || isFailedConnection(exchange) || injected?.did === null)
    throw new SandgateError('exchange.not-of-bank', { id: call.id });
  const cited = citeExchange(exchange);
  const bank = findings.filter(({ judges }) => judges === 'aspsp');
  const lines = [
    `# ${titleOf(exchange, bank.length)}`,
    '',
    ...facts([
      ['X-Request-ID', call.header['x-request-id'] ?? 'none was sent'],
      ['Time (UTC)', new Date(call.at).toISOString()],
      [
        'Answered after',
        `${elapsed.total.toFixed(1)} ms, of which ${answererOf(answer)} took ${elapsed.answerer.toFixed(1)} ms`,
      ],
      ['Called', `${call.request.method} ${call.header.host ?? ''}${call.request.path}`],
      ['Operation', call.operation ?? 'none of the specification'],
      ['Answer', answer === null ? 'none' : `HTTP ${answer.status}, from ${answer.source}`],
      ['TPP', call.tpp ?? 'no certificate was presented'],
      ['TPP’s certificate', certificateText(exchange)],
      ...bankFacts(exchange, createBankOf(notes)(exchange)),
      ['Exchange in our recording', call.id],
      ...(injected === undefined ? [] : ([['Injected by us', injectedText(injected)]] as const)),
      ...(fault === null ? [] : ([['Fault', `${fault.kind}: ${fault.message}`]] as const)),
    ]),
    '',
    '## The request',
    '',
    codeBlock(excerptText(cited.request)),
    ...noteLines(cited.request),
    '',
    '## The answer',
    '',
    ...(cited.answer === null
      ? ['No answer.']
      : [codeBlock(excerptText(cited.answer)), ...noteLines(cited.answer)]),
    '',
    '## What was expected',
    '',
    ...expectations(bank, 'Nothing in the answer breaks a rule; please see the question above.'),
    ...ownFindings(findings),
    '',
    'Tokens, codes and other secrets are replaced by fingerprints (`fp_…`): equal fingerprints mean equal values.',
  ];
  return `${lines.join('\n')}\n`;
}

function titleOf({ call, answer }: RecordedExchange['exchange'], deviations: number): string {
  const what = `${call.request.method} ${call.request.path.slice(0, 120)}`;
  const came = answer === null ? 'no answer' : `HTTP ${answer.status}`;
  const why = deviations === 0 ? '' : deviations === 1 ? ', one deviation' : `, ${deviations} deviations`;
  return `${plain(what)}: ${came}${why}`;
}

const answererOf = (answer: Answer | null): string =>
  answer?.source === 'emulator'
    ? 'the built-in emulator'
    : answer?.source === 'replay'
      ? 'the replay'
      : 'the bank';

function facts(rows: readonly (readonly [string, string])[]): string[] {
  return rows.map(([name, value]) => `- ${name}: ${code(value)}`);
}

function certificateText({ call: { certificate } }: RecordedExchange['exchange']): string {
  if (typeof certificate === 'string') return certificate === 'absent' ? 'none' : 'not recorded';
  return certificateLine({ ...certificate, fingerprint: certificate.fingerprint256 });
}

/** The bank's support looks for the call by these: it has seen neither our address nor the TPP's certificate. */
function bankFacts(
  { call, answer }: RecordedExchange['exchange'],
  bank: BankSeen | null,
): (readonly [string, string])[] {
  if (bank === null) {
    const none = answer === null || answer.source === 'upstream' || answer.source === 'gateway';
    return [['Asked of the bank', none ? 'not recorded' : `nothing: the answer is from ${answer.source}`]];
  }
  const { address, shown } = bank;
  const at = `${call.request.method} ${address.endsWith('/') ? address.slice(0, -1) : address}${call.request.path}`;
  const certificate =
    shown === 'not-recorded' ? 'not recorded' : shown === null ? 'none' : certificateLine(shown);
  return [
    ['Asked of the bank', at],
    [
      'Certificate that the bank saw',
      shown === null || shown === 'not-recorded' ? certificate : `${shown.subject}; ${certificate}`,
    ],
  ];
}

function excerptText({ startLine, headers, body }: Excerpt): string {
  const head = [startLine, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\n');
  return body === null ? head : `${head}\n\n${body}`;
}

function noteLines({ note }: Excerpt): string[] {
  return note === null ? [] : ['', `(${plain(note)})`];
}

function expectations(findings: RecordedExchange['findings'], none: string): string[] {
  if (findings.length === 0) return [none];
  return findings.flatMap(({ rule, severity, place, expected, actual }) => {
    const { statement, clauses, sources, why } = ruleText(rule);
    return [
      `- **${plain(statement)}** (${severity}, ${code(rule)})`,
      `  - Where: ${code(place)}; expected ${code(expected)}, found ${code(actual ?? 'nothing')}`,
      ...clauses.map(({ section, text }) => `  - Specification, ${plain(section)}: “${plain(text)}”`),
      ...sources.map(({ title, place: at }) => `  - ${plain(at === null ? title : `${title}, ${at}`)}`),
      `  - Why it matters: ${plain(why)}`,
    ];
  });
}

/** Said openly: the bank's support would find it anyway. */
function ownFindings(findings: RecordedExchange['findings']): string[] {
  const own = findings.filter(({ judges }) => judges === 'tpp');
  if (own.length === 0) return [];
  return [
    '',
    '## Violations in our own request',
    '',
    ...own.map(
      ({ rule, place, expected, actual }) =>
        `- ${plain(ruleText(rule).statement)} (${code(rule)}): ${code(`${place}: expected ${expected}, found ${actual ?? 'nothing'}`)}`,
    ),
  ];
}
