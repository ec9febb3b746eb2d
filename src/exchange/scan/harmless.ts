/** Tells what looks like a secret but is harmless: fingerprints, published values, placeholders. */
import { isFingerprint } from '../redaction/fingerprint.js';
import { isPublic } from '../redaction/redacted-fields.js';

/** `<token>`, `$TOKEN`, `${token}`, `{{token}}`, `…`, `***`, `%TOKEN%`, `your-token`, `xxxx` */
const PLACEHOLDER =
  /^(?:[<${[(*%…@].*|\.{2,}.*|.*…|(?:your|my|the|some|any|test|dummy|fake|sample|example|invalid)[-_ ].*|x+|(.)\1*|string|undefined|null|none|true|false|redacted|pass|passwd|password|secret|token|changeit|changeme)$/is;

/** Of RFC 6749 and RFC 7636: documents of everybody repeat them. */
const PRINTED: ReadonlySet<string> = new Set([
  '2YotnFZFEjr1zCsicMWpAA',
  'tGzv3JOkF0XG5Qx2TlKWIA',
  'SplxlOBeZQQYbYS6WxSbIA',
  'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
]);

export function isHarmless(value: string): boolean {
  return PRINTED.has(value) || isFingerprint(value) || isPublic(value) || PLACEHOLDER.test(value);
}

/** Names that RFC 2606 and RFC 6761 keep for documents and tests. */
const RESERVED_HOST =
  /(?:^|\.)(?:example|test|invalid|localhost|local|internal)$|(?:^|\.)example\.(?:com|net|org)$/i;
/** `logo@2x.png` and its like. */
const FILE_ENDING = /\.(?:png|jpe?g|gif|svg|webp|ico|js|mjs|cjs|ts|css|json|map|html?|md|ya?ml)$/i;

export const isHarmlessHost = (host: string): boolean => RESERVED_HOST.test(host) || FILE_ENDING.test(host);

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
