/** The detectors of `sandgate scan`, one function for each kind of finding. */
import { findIbans } from '../pseudonyms/ibans-in-text.js';
import { isPseudonym } from '../pseudonyms/pseudonyms.js';
import { isFingerprint } from '../redaction/fingerprint.js';
import { findJwts, findKeys, type Spot } from '../redaction/key-material.js';
import { isPublic, NAME_PATTERN, SECRET_HEADERS } from '../redaction/redacted-fields.js';
import { isUnmistakable } from '../redaction/redaction.js';

/** `isHarmlessIban`: of those besides the printed ones; asked in capitals without blanks. */
export interface ScanOptions {
  readonly isHarmlessIban: (iban: string) => boolean;
}

type Detector = (text: string, options: ScanOptions) => Spot[];

const CREDENTIALS = /\b(Bearer|DPoP|Basic)\s+([\w.~+/-]{8,}=*)/gi;
const USERINFO = /:\/\/([^\s/?#@:"'<>]*):([^\s/?#@"'<>]+)@(?=[^\s"'<>])/g;
const EMAIL =
  /(?<![\w.+%-])([a-z0-9][\w.+-]{0,63})@((?:[a-z0-9](?:[a-z0-9-]{0,62})\.)+[a-z]{2,24})(?![\w-]|\.[a-z0-9])/gi;
/** In JSON: what is quoted is a value, however short. */
const QUOTED = new RegExp(`"(${NAME_PATTERN}|code)"\\s*:\\s*"([^"\\\\\\n]{4,})"`, 'gi');
/** In a query or a form, in a header, in XML: only what can be no word. */
const ASSIGNED = new RegExp(`(?<![\\w-])(${NAME_PATTERN}|code)(=|:\\s*|>)([^\\s"'&<>,;(){}\\\\]{4,})`, 'gi');
const PAIR = /"name"\s*:\s*"([\w-]{2,64})"\s*,\s*"value"\s*:\s*"([^"\\\n]{4,})"/g;
/** A header of a name that is no field's, as a line, a member, or two entries of a list. */
const HEADER =
  /(?<![\w-])([\w-]{0,40}?(?:cookie2?|(?:api|access|subscription)[-_]?key))["']?\s*[:=,>]\s*["']?([^"'\n\r<>\\]{4,})/gi;
/** Cookies of a HAR, each with a name of its own. */
const COOKIES = /"cookies"\s*:\s*\[([^[\]]{0,65536})\]/g;
const PASSWORD = /^(?:.*passw(?:or)?d|client_?secret|pin|otp|tan)$/i;

const spot = (kind: string, start: number, value: string): Spot => ({
  kind,
  start,
  value,
  end: start + value.length,
});

const findCredentials: Detector = (text) =>
  [...text.matchAll(CREDENTIALS)].flatMap(({ index, 0: whole, 1: scheme = '', 2: value = '' }) => {
    if (isHarmless(value)) return [];
    const start = index + whole.length - value.length;
    if (scheme.toLowerCase() === 'basic') {
      const clear = Buffer.from(value, 'base64').toString('latin1');
      return /^[\x20-\x7e]+:[\x20-\x7e]+$/.test(clear) ? [spot('password (Basic)', start, value)] : [];
    }
    return isUnmistakable(value) ? [spot('bearer token', start, value)] : [];
  });

const findPasswords: Detector = (text) =>
  [...text.matchAll(USERINFO)]
    .filter(({ 2: password = '' }) => !isHarmless(password))
    .map(({ index, 1: user = '', 2: password = '' }) =>
      spot('password in a URL', index + '://'.length + user.length + 1, password),
    );

const findEmails: Detector = (text) =>
  [...text.matchAll(EMAIL)]
    .filter(({ 1: user, 2: host = '' }) => !isHarmlessHost(host) && user !== 'git')
    .map(({ index, 0: found }) => spot('e-mail address', index, found));

const findRealIbans: Detector = (text, { isHarmlessIban }) =>
  findIbans(text)
    .filter(({ iban }) => !isPseudonym('iban', iban) && !PRINTED_IBANS.has(iban) && !isHarmlessIban(iban))
    .map(({ start, end, iban }) => ({ kind: 'IBAN', start, end, value: iban }));

const findNamed: Detector = (text) => {
  const spots: Spot[] = [];
  for (const { index, 0: whole, 1: name = '', 2: value = '' } of text.matchAll(QUOTED))
    if (isSecret(name, value, true)) spots.push(spot(name, index + whole.length - 1 - value.length, value));
  for (const { index, 0: whole, 1: name = '', 2: sign, 3: value = '' } of text.matchAll(ASSIGNED))
    if (isSecret(name, value, sign === '=' && /[?&]$/.test(text.slice(Math.max(0, index - 1), index))))
      spots.push(spot(name, index + whole.length - value.length, value));
  for (const { index, 0: whole, 1: name = '', 2: value = '' } of text.matchAll(PAIR))
    if (SECRET_HEADERS.some(([pattern]) => pattern.test(name.toLowerCase())) && isSecretHeader(value))
      spots.push(spot(name, index + whole.length - 1 - value.length, value));
  for (const { index, 0: whole, 1: name = '', 2: value = '' } of text.matchAll(HEADER))
    if (isSecretHeader(value)) spots.push(spot(name, index + whole.length - value.length, value));
  for (const { index, 0: whole, 1: list = '' } of text.matchAll(COOKIES))
    for (const pair of list.matchAll(PAIR)) {
      const [found, , value = ''] = pair;
      const start = index + whole.length - 1 - list.length + pair.index + found.length - 1 - value.length;
      if (isSecretHeader(value)) spots.push(spot('cookie', start, value));
    }
  return spots;
};

function isSecret(name: string, value: string, isValue: boolean): boolean {
  if (isHarmless(value)) return false;
  return isUnmistakable(value) || (isValue && PASSWORD.test(name.replaceAll('-', '_')));
}

/** A credential with its scheme is found as such; cookies are secret by the value of each pair. */
function isSecretHeader(value: string): boolean {
  const bare = value.replace(/^(?:Bearer|Basic|DPoP)\s+/i, '');
  if (bare !== value) return false;
  const values = value.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1).trim());
  return values.some((one) => !isHarmless(one) && isUnmistakable(one));
}

/** The first one that finds something at a place names it. */
export const DETECTORS: readonly Detector[] = [
  findKeys,
  findJwts,
  findCredentials,
  findNamed,
  findPasswords,
  findRealIbans,
  findEmails,
];

/** `<token>`, `$TOKEN`, `${token}`, `{{token}}`, `…`, `***`, `%TOKEN%`, `your-token`, `xxxx` */
const PLACEHOLDER =
  /^(?:[<${[(*%…@].*|\.{2,}.*|.*…|(?:your|my|the|some|any|test|dummy|fake|sample|example|invalid)[-_ ].*|x+|(.)\1*|string|undefined|null|none|true|false|redacted|pass|passwd|password|secret|token|changeit|changeme)$/is;

/** Examples of RFC 6749 and RFC 7636, which many documents repeat. */
const PRINTED: ReadonlySet<string> = new Set([
  '2YotnFZFEjr1zCsicMWpAA',
  'tGzv3JOkF0XG5Qx2TlKWIA',
  'SplxlOBeZQQYbYS6WxSbIA',
  'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
]);

function isHarmless(value: string): boolean {
  return PRINTED.has(value) || isFingerprint(value) || isPublic(value) || PLACEHOLDER.test(value);
}

/** Names that RFC 2606 and RFC 6761 keep for documents and tests. */
const RESERVED_HOST =
  /(?:^|\.)(?:example|test|invalid|localhost|local|internal)$|(?:^|\.)example\.(?:com|net|org)$/i;
/** `logo@2x.png` and its like. */
const FILE_ENDING = /\.(?:png|jpe?g|gif|svg|webp|ico|js|mjs|cjs|ts|css|json|map|html?|md|ya?ml)$/i;

const isHarmlessHost = (host: string): boolean => RESERVED_HOST.test(host) || FILE_ENDING.test(host);

/** Examples of the IBAN registry (ISO 13616) and of banks' documents, one or more a country. */
export const PRINTED_IBANS: ReadonlySet<string> = new Set([
  'AT611904300234573201',
  'BE68539007547034',
  'BG80BNBG96611020345678',
  'CH9300762011623852957',
  'CY17002001280000001200527600',
  'CZ6508000000192000145399',
  'DE89370400440532013000',
  'DK5000400440116243',
  'EE382200221020145685',
  'ES9121000418450200051332',
  'FI2112345600000785',
  'FR1420041010050500013M02606',
  'GB29NWBK60161331926819',
  'GB82WEST12345698765432',
  'GR1601101250000000012300695',
  'HR1210010051863000160',
  'HU42117730161111101800000000',
  'IE29AIBK93115212345678',
  'IS140159260076545510730339',
  'IT60X0542811101000000123456',
  'LI21088100002324013AA',
  'LT121000011101001000',
  'LU280019400644750000',
  'LV80BANK0000435195001',
  'MC5811222000010123456789030',
  'MT84MALT011000012345MTLCAST001S',
  'NL91ABNA0417164300',
  'NO9386011117947',
  'PL61109010140000071219812874',
  'PT50000201231234567890154',
  'RO49AAAA1B31007593840000',
  'SE4550000000058398257466',
  'SI56263300012039086',
  'SK3112000000198742637541',
]);
