/** Prints recorded exchanges as text: one line each, or one in full. */
import {
  arrivedAt,
  type Body,
  type Exchange,
  type HeaderList,
  isJsonType,
  mediaType,
  WITHHELD,
} from '../exchange/index.js';
import { injectedText } from '../report/index.js';
import type { Finding, Verdicts } from '../rules/index.js';
import type { RecordedExchange } from '../store/index.js';
import { oneLine, printable } from './output.js';

const OF_SANDGATE = 'sent by Sandgate, for its operator';

/** `2026-06-15 10:00:00.000`, in UTC. */
export function timeText(at: number): string {
  return new Date(at).toISOString().replace('T', ' ').replace('Z', '');
}

const COLUMNS = [
  ['TIME (UTC)', 23],
  ['EXCHANGE', 11],
  ['STATUS', 6],
  ['SOURCE', 8],
  ['MS', 7],
  ['TPP', 20],
] as const;
const LAST_COLUMN = 'OPERATION';

export function exchangeHead(): string {
  return `${[...COLUMNS.map(([title, width]) => title.padEnd(width)), LAST_COLUMN].join('  ')}\n`;
}

/** One line, and below it what went wrong: a failure of transport, and the findings with their places. */
export function exchangeLines({ exchange, findings }: RecordedExchange): string {
  const { call, answer, fault, elapsed, injected } = exchange;
  const cells = [
    timeText(call.at),
    call.id,
    String(answer?.status ?? '-'),
    answer?.source ?? '-',
    milliseconds(elapsed.total).padStart(COLUMNS[4][1]),
    call.tpp ?? '-',
  ].map((cell, i) => cell.padEnd(COLUMNS[i]?.[1] ?? 0));
  const lines = [
    [...cells, whatWasAsked(exchange)].join('  '),
    ...(call.connection.sender === undefined ? [] : [`    ${OF_SANDGATE}`]),
    ...(injected === undefined ? [] : [`    injected: ${injectedText(injected)}`]),
    ...(fault === null ? [] : [`    ${fault.kind}: ${fault.message}`]),
    ...(exchange.withheld === undefined ? [] : [`    ${WITHHELD[exchange.withheld]}`]),
    ...findings.map((finding) => `    ${findingText(finding)}`),
  ];
  return lines.map((line) => `${printable(line.replace(/[\t\r\n]+/g, ' ')).trimEnd()}\n`).join('');
}

function whatWasAsked({ call }: Exchange): string {
  const { method, path } = call.request;
  if (call.operation !== null) return call.operation;
  return method === '' ? `(no call, ${call.listener})` : `${method} ${path}`;
}

function findingText({ severity, rule, place, expected, actual, waived }: Finding): string {
  const got = actual === undefined ? '' : `, found ${actual}`;
  return `${severity} ${rule} at ${place}: expected ${expected}${got}${waived === undefined ? '' : ` (waived: ${waived})`}`;
}

const milliseconds = (ms: number): string => ms.toFixed(2);

export function exchangeText({ exchange, verdicts, findings }: RecordedExchange): string {
  const { call, answer, fault, injected } = exchange;
  const { method, target } = call.request;
  const parts = [
    headText(exchange),
    exchange.withheld === undefined ? '' : `${WITHHELD[exchange.withheld]}\n`,
    method === ''
      ? ''
      : `> ${oneLine(`${method} ${target}`)}\n${messageText('>', call.request.headers, call.request.body)}`,
    answer === null
      ? '< no answer\n'
      : `< ${answer.status} from ${answer.source}\n${messageText('<', answer.headers, answer.body)}`,
    injected === undefined ? '' : `Injected: ${oneLine(injectedText(injected))}\n`,
    fault === null ? '' : `Failure: ${fault.kind}: ${oneLine(fault.message)}\n`,
    findings.map((finding) => `${oneLine(findingText(finding))}\n`).join(''),
    verdictText(verdicts),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

const firstByteText = ({ firstByte }: Exchange['elapsed']): string =>
  firstByte === undefined ? '' : `, ${milliseconds(firstByte)} ms to its first byte`;

function headText({ call, elapsed }: Exchange): string {
  const { tls, address, sender } = call.connection;
  const { certificate } = call;
  const secured =
    tls === null
      ? 'plain HTTP'
      : typeof tls === 'string'
        ? tls
        : `${tls.version} ${tls.cipher}${tls.resumed ? ', resumed' : ''}`;
  const rows: readonly (readonly [string, string])[] = [
    ['exchange', `${call.id} of session ${call.session}`],
    [
      'time',
      `${timeText(call.at)} UTC, took ${milliseconds(elapsed.total)} ms, the source ${milliseconds(elapsed.answerer)} ms of it${firstByteText(elapsed)}`,
    ],
    ...(call.ahead === 0
      ? []
      : [['machine', `${timeText(arrivedAt(call))} UTC: the clock of the gateway was moved`] as const]),
    ['operation', call.operation ?? '-'],
    ['listener', call.listener],
    ['from', `${address || '-'}, ${secured}`],
    ...(sender === undefined ? [] : [['sender', OF_SANDGATE] as const]),
    ['tpp', call.tpp ?? '-'],
    [
      'certificate',
      typeof certificate === 'string'
        ? certificate
        : `${certificate.subject}, SHA-256 ${certificate.fingerprint256}`,
    ],
  ];
  return rows.map(([name, value]) => `${`${name}:`.padEnd(13)}${oneLine(value)}\n`).join('');
}

function messageText(mark: string, headers: HeaderList, body: Body | null): string {
  const lines = headers.map(([name, value]) => `${mark} ${oneLine(`${name}: ${value}`)}\n`).join('');
  const text = bodyText(body, headers);
  return text === '' ? lines : `${lines}\n${text}\n`;
}

function bodyText(body: Body | null, headers: HeaderList): string {
  if (body === null || body.size === 0) return '';
  if (body.base64 === true) return `(${body.size} bytes, base64) ${body.text}`;
  const rest = body.truncated === true ? `(recorded in part: ${body.text.length} of ${body.size} bytes)` : '';
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  return [printable(isJsonType(mediaType(type)) ? indented(body.text) : body.text), rest]
    .filter((part) => part !== '')
    .join('\n');
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function verdictText(verdicts: Verdicts): string {
  const byVerdict = new Map<string, string[]>();
  for (const [rule, verdict] of Object.entries(verdicts)) {
    byVerdict.set(verdict, [...(byVerdict.get(verdict) ?? []), rule]);
  }
  return ['violated', 'complied', 'not-observed']
    .flatMap((verdict) => {
      const rules = byVerdict.get(verdict);
      return rules === undefined ? [] : [`${verdict} (${rules.length}): ${oneLine(rules.join(', '))}\n`];
    })
    .join('');
}

/** For JSON: the record without what derives from the rest. */
export function plainRecord({ exchange, verdicts, findings }: RecordedExchange) {
  return { ...exchange, verdicts, findings };
}
