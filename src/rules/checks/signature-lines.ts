/** The mistakes in what is signed of a request: its headers, their order, their names and their values. */
import { createHash } from 'node:crypto';
import {
  bytesOfBody,
  type Call,
  REQUEST_TARGET,
  type SignedLine,
  splitTarget,
} from '../../exchange/index.js';

export type Lines = readonly SignedLine[];
export interface Signing {
  readonly call: Call;
  readonly lines: Lines;
}
/** A mistake in words, and what would have been signed. */
export type Tried<T> = readonly [cause: string, what: T];

/** Other lines than those that should have been signed. */
const LINE_CAUSES: readonly ((signing: Signing) => Iterable<Tried<Lines>>)[] = [
  usualOrders,
  otherNames,
  otherValues,
  otherHeaders,
  allOrders,
];

/** The order of Berlin Group 1.3. */
const USUAL_ORDER = ['digest', 'x-request-id', 'psu-id', 'psu-corporate-id', 'date', 'tpp-redirect-uri'];
/** Up to so many headers, each order is tried. */
const MOST_ORDERED = 6;

const inOrder = (order: Lines): Tried<Lines> => [
  `the headers were signed in another order than they are listed in: ${order.map(([name]) => name).join(' ')}`,
  order,
];

function* usualOrders({ call, lines }: Signing): Iterable<Tried<Lines>> {
  const sent = call.request.headers.map(([name]) => name.toLowerCase());
  const by = (rank: (name: string) => number): Lines => lines.toSorted(([a], [b]) => rank(a) - rank(b));
  yield inOrder(by((name) => sent.indexOf(name)));
  yield inOrder(by((name) => USUAL_ORDER.indexOf(name)));
  yield inOrder(lines.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  yield inOrder(lines.toReversed());
}

function* allOrders({ lines }: Signing): Iterable<Tried<Lines>> {
  if (lines.length <= MOST_ORDERED) for (const order of ordersOf(lines)) yield inOrder(order);
}

function* ordersOf(lines: Lines): Iterable<Lines> {
  if (lines.length < 2) yield lines;
  else
    for (const [i, line] of lines.entries())
      for (const rest of ordersOf(lines.filter((_, j) => j !== i))) yield [line, ...rest];
}

const capitalised = (name: string): string => name.replace(/(?<![a-z])[a-z]/g, (sign) => sign.toUpperCase());

function* otherNames({ call, lines }: Signing): Iterable<Tried<Lines>> {
  const spelled = (name: string): string =>
    call.request.headers.find(([sent]) => sent.toLowerCase() === name)?.[0] ?? name;
  const named = (of: (name: string) => string): Lines => lines.map(([name, value]) => [of(name), value]);
  const cause = 'the names of the headers were not signed in lower case';
  yield [cause, named(spelled)];
  yield [cause, named((name) => (name.startsWith('(') ? name : capitalised(name)))];
  yield [
    cause,
    named((name) =>
      capitalised(name)
        .replace(/Id$/, 'ID')
        .replace(/^Tpp|^Psu/, (sign) => sign.toUpperCase())
        .replace(/Uri$/, 'URI'),
    ),
  ];
  yield [cause, named((name) => name.toUpperCase())];
}

function* otherValues({ call, lines }: Signing): Iterable<Tried<Lines>> {
  for (const [i, [name, value]] of lines.entries()) {
    const others = Object.hasOwn(VALUE_CAUSES, name) ? VALUE_CAUSES[name] : undefined;
    for (const [cause, other] of [...(others?.(value, call) ?? []), ...anyValue(value, call, name)])
      if (other !== value) yield [`${name}: ${cause}`, lines.with(i, [name, other])];
  }
}

type ValueCauses = (value: string, call: Call) => Iterable<Tried<string>>;

const VALUE_CAUSES: Readonly<Record<string, ValueCauses>> = {
  digest: function* (value, { request }) {
    yield ['it was signed without its label', value.replace(/^[^=]*=/, '')];
    yield [
      'its label was signed in another letter case',
      value.replace(/^[^=]*/, (label) => label.toLowerCase()),
    ];
    yield [
      'its label was signed in another letter case',
      value.replace(/^[^=]*/, (label) => label.toUpperCase()),
    ];
    yield ['its label was signed without hyphen', value.replace('-', '')];
    const body = request.body === null ? Buffer.alloc(0) : bytesOfBody(request.body);
    for (const [label, name] of [
      ['SHA-256', 'sha256'],
      ['SHA-512', 'sha512'],
    ] as const)
      yield [
        'another digest of the body was signed',
        `${label}=${createHash(name).update(body).digest('base64')}`,
      ];
    const hex = Buffer.from(value.replace(/^[^=]*=/, ''), 'base64').toString('hex');
    yield ['it was signed in hexadecimal', `${value.split('=', 1)[0]}=${hex}`];
  },
  [REQUEST_TARGET]: function* (value, { request }) {
    const [method = '', target = ''] = value.split(' ', 2);
    const { path, query } = splitTarget(target);
    if (query !== '') yield ['it was signed without the query', `${method} ${path}`];
    yield ['the method was signed in capitals', `${request.method} ${target}`];
    yield ['it was signed without the method', target];
    yield ['it was signed with a colon behind the method', `${method}: ${target}`];
    yield ['it was signed with a slash at the end', `${method} ${path}/`];
    for (let at = path.indexOf('/', 1), n = 0; at > 0 && n < 6; at = path.indexOf('/', at + 1), n++)
      yield ['it was signed without the beginning of the path', `${method} ${target.slice(at)}`];
    for (const base of [
      '/v1',
      '/psd2',
      '/psd2/v1',
      '/xs2a',
      '/xs2a/v1',
      '/api',
      '/berlingroup',
      '/berlingroup/v1',
    ])
      yield [`it was signed with ${base} before the path`, `${method} ${base}${target}`];
    const host = request.header.host ?? '';
    yield ['it was signed with the whole address', `${method} https://${host}${target}`];
    yield ['it was signed with the host', `${method} ${host}${target}`];
    yield ['it was signed as the request line', `${request.method} ${target} HTTP/1.1`];
    yield ['it was signed without percent-encoding', decodedOf(value)];
  },
  date: function* (value) {
    const at = Date.parse(value);
    if (Number.isNaN(at)) return;
    const iso = new Date(at).toISOString();
    yield ['it was signed in ISO 8601', iso];
    yield ['it was signed in ISO 8601', iso.replace('.000', '')];
    yield ['it was signed with another name of the zone', value.replace('GMT', 'UTC')];
    yield ['it was signed with another name of the zone', value.replace('GMT', '+0000')];
    yield ['it was signed with a day of one digit', value.replace(/, 0/, ', ')];
    for (let seconds = 1; seconds <= 60; seconds++)
      for (const sign of [-1, 1]) {
        const other = new Date(at + sign * seconds * 1000).toUTCString();
        yield [`another date was signed, ${seconds} s ${sign < 0 ? 'earlier' : 'later'}`, other];
      }
  },
};

function* anyValue(value: string, call: Call, name: string): Iterable<Tried<string>> {
  yield ['it was signed in lower case', value.toLowerCase()];
  yield ['it was signed in capitals', value.toUpperCase()];
  yield ['it was signed empty', ''];
  yield ['it was signed percent-encoded', encodeURIComponent(value)];
  yield ['it was signed percent-encoded', encodeURI(value)];
  yield ['it was signed without percent-encoding', decodedOf(value)];
  yield ['it was signed with a slash at the end', `${value}/`];
  yield ['it was signed without the slash at its end', value.endsWith('/') ? value.slice(0, -1) : value];
  yield ['it was signed in quotes', `"${value}"`];
  yield ['it was signed without hyphens', value.replaceAll('-', '')];
  yield ['a blank behind it was signed', `${value} `];
  const sent = call.request.headers.filter(([one]) => one.toLowerCase() === name).map(([, one]) => one);
  if (sent.length < 2) return;
  yield ['of several headers of this name the first was signed', sent[0] ?? ''];
  yield ['of several headers of this name the last was signed', sent.at(-1) ?? ''];
  yield ['the values of several headers were signed without a blank between them', sent.join(',')];
}

function decodedOf(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Headers of a call that programs sign by habit. */
const LIKELY = new Set([
  ...USUAL_ORDER,
  ...['host', 'content-type', 'content-length', 'consent-id', 'authorization', 'accept', 'psu-ip-address'],
  ...['tpp-nok-redirect-uri', 'tpp-signature-certificate', 'psu-id-type', 'psu-corporate-id-type'],
]);

function* otherHeaders({ call, lines }: Signing): Iterable<Tried<Lines>> {
  for (const i of lines.keys())
    yield [`${lines[i]?.[0]} is listed, and was not signed`, lines.filter((_, j) => j !== i)];
  const target: SignedLine = [REQUEST_TARGET, `${call.request.method.toLowerCase()} ${call.request.target}`];
  const sent = Object.entries(call.header).filter(([name]) => LIKELY.has(name));
  for (const line of [...sent, target]) {
    if (lines.some(([name]) => name === line[0])) continue;
    for (let i = lines.length; i >= 0; i--)
      yield [`${line[0]} was signed, and is not listed`, lines.toSpliced(i, 0, line)];
  }
}

export function* lineCauses(signing: Signing): Iterable<Tried<Lines>> {
  for (const causes of LINE_CAUSES) yield* causes(signing);
}
