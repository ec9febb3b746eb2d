/** Finds out what a signature is of, if it is not of what its request says: each likely mistake is tried. */
import { createHash } from 'node:crypto';
import type { SignatureProbe } from '../../certificate/index.js';
import { type Call, signedText } from '../../exchange/index.js';
import { type Lines, lineCauses, type Signing, type Tried } from './signature-lines.js';
import type { SignedCall } from './signed-call.js';
import { firstDifference } from './text-forms.js';

/** Header values are bytes on the wire, one to a character; files of others hold them as text. */
export const signedBytes = (text: string): Buffer =>
  Buffer.from(text, /[^\0-\xff]/.test(text) ? 'utf8' : 'latin1');

const joined = (lines: Lines, colon: string, between: string): string =>
  lines.map(([name, value]) => `${name}${colon}${value}`).join(between);

/** Other texts or bytes than those that the lines make. */
function* textCauses(lines: Lines): Iterable<Tried<Buffer>> {
  const text = signedText(lines);
  const bytes = signedBytes(text);
  const texts: readonly Tried<string>[] = [
    ['a newline stood at the end of the text', `${text}\n`],
    ['CRLF stood at the end of the text', `${text}\r\n`],
    ['a newline stood at the beginning of the text', `\n${text}`],
    ['the lines ended in CRLF', joined(lines, ': ', '\r\n')],
    ['the lines ended in CRLF, the last one too', `${joined(lines, ': ', '\r\n')}\r\n`],
    ['the lines were joined by a backslash and an n', joined(lines, ': ', '\\n')],
    ['the lines were joined by a blank', joined(lines, ': ', ' ')],
    ['the lines were joined by a comma', joined(lines, ': ', ',')],
    ['the lines were joined by a comma and a blank', joined(lines, ': ', ', ')],
    ['the lines were joined by nothing', joined(lines, ': ', '')],
    ['no blank stood behind the colons', joined(lines, ':', '\n')],
    ['a blank stood before the colons', joined(lines, ' : ', '\n')],
    ['an equals sign stood for the colons', joined(lines, '=', '\n')],
    ['the values were signed without names', lines.map(([, value]) => value).join('\n')],
    ['the values were signed without names or newlines', lines.map(([, value]) => value).join('')],
    ['the text was signed in lower case', text.toLowerCase()],
    ['the text was signed as JSON', JSON.stringify(Object.fromEntries(lines))],
  ];
  for (const [cause, other] of texts) yield [cause, signedBytes(other)];
  yield ['the text was signed in UTF-8, and sent in ISO 8859-1', Buffer.from(text, 'utf8')];
  for (const name of ['sha256', 'sha512']) {
    const digest = createHash(name).update(bytes).digest();
    const cause = 'the hash of the text was signed in place of the text';
    yield [cause, digest];
    yield [cause, Buffer.from(digest.toString('hex'))];
    yield [cause, Buffer.from(digest.toString('base64'))];
  }
  yield ['the text was signed in base64', Buffer.from(bytes.toString('base64'))];
  const digest = lines.find(([name]) => name === 'digest')?.[1];
  if (digest === undefined) return;
  yield ['the digest alone was signed', signedBytes(digest)];
  yield ['the digest alone was signed', signedBytes(digest.replace(/^[^=]*=/, ''))];
}

/** Texts and bytes that are tried at most, by whether the key gives back what it signed. */
const MOST_TRIED = { cheap: 6_000, dear: 100 } as const;
const MOST_BYTES = 2 * 1024 * 1024;

function* tries(signing: Signing): Iterable<Tried<Buffer>> {
  const write = (lines: Lines): Buffer => signedBytes(signedText(lines));
  yield* textCauses(signing.lines);
  for (const [cause, lines] of lineCauses(signing)) yield [cause, write(lines)];
  for (const [cause, lines] of lineCauses(signing))
    for (const [other, bytes] of textCauses(lines)) yield [`${cause}; ${other}`, bytes];
}

const CODINGS = [
  ['base64url in place of base64', /^[\w-]+={0,2}$/, (text: string) => Buffer.from(text, 'base64url')],
  ['hexadecimal in place of base64', /^[0-9a-f]+$/i, (text: string) => Buffer.from(text, 'hex')],
  [
    'base64 twice',
    /^[A-Za-z0-9+/]+={0,2}$/,
    (text: string) => Buffer.from(Buffer.from(text, 'base64').toString('latin1'), 'base64'),
  ],
  [
    'base64 with white space in it',
    /^[A-Za-z0-9+/\s]+(?:={1,2}\s*)?$/,
    (text: string) => Buffer.from(text, 'base64'),
  ],
] as const;

/** The mistake in words; null if no known one makes the signature fit. */
export function causeOfSignature(signed: SignedCall, call: Call): string | null {
  const { lines, parameters } = signed;
  if (lines === null || parameters === null) return null;
  const text = signedBytes(signedText(lines));
  const sent = parameters.parameters.get('signature') ?? '';
  for (const [cause, pattern, decode] of CODINGS)
    if (pattern.test(sent) && (signed.probeOf(decode(sent), 0)?.schemeOf(text) ?? null) !== null)
      return `the signature is ${cause}`;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(sent)) return null;
  const signature = Buffer.from(sent, 'base64');
  for (let place = 1; place <= 3; place++)
    if ((signed.probeOf(signature, place)?.schemeOf(text) ?? null) !== null)
      return `the key of certificate ${place + 1} in the header signed, not that of the first`;
  const probe = signed.probeOf(signature, 0);
  if (probe === null) return null;
  if (probe.isOfKey === false) return 'another key signed, not that of the certificate';
  // Anybody can make a key with which each text takes long.
  const isKeyOfStranger = signed.seal?.isTrustKnown === true && !signed.seal.facts.chain.trusted;
  if (!probe.isCheap && isKeyOfStranger) return null;
  return causeByTrying(probe, { call, lines });
}

function causeByTrying(probe: SignatureProbe, signing: Signing): string | null {
  const plain = signedBytes(signedText(signing.lines));
  let left: number = probe.isCheap ? MOST_TRIED.cheap : MOST_TRIED.dear;
  let bytesLeft = MOST_BYTES;
  for (const [cause, bytes] of tries(signing)) {
    bytesLeft -= bytes.length;
    if (left-- === 0 || bytesLeft < 0) return null;
    if (probe.schemeOf(bytes) === null) continue;
    const difference = firstDifference(plain, bytes);
    if (difference === null) continue;
    const { at, sent, used } = difference;
    const component = componentAt(signing.lines, at);
    return `${cause} (first difference: ${component}, byte ${at + 1}: ${sent} expected, ${used} signed)`;
  }
  return null;
}

/** The header in whose line a place of the text lies. */
function componentAt(lines: Lines, at: number): string {
  let end = 0;
  for (const [name, value] of lines) {
    end += name.length + value.length + 3;
    if (at < end) return name;
  }
  return 'the end';
}
