/** Redacts what looks like a token in the words of an error: there it stands without a name. */
import { decodePercent } from '../codings/codings.js';
import { type Redaction, redactSecret } from './redaction.js';

/** JSON members with the words of an error (RFC 6749 5.2, RFC 9457, tppMessages), and what banks call them. */
export const MESSAGE_TEXTS: ReadonlySet<string> = new Set([
  'error_description',
  'detail',
  'text',
  'title',
  'message',
  'reason',
]);

const WORD = /(?<![\w~+=-])[\w~+-]{16,}/g;
/** Ids, and fingerprints, also where several stand side by side: no secret of theirs is left. */
const NO_SECRET = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|fp_[\w-]{22}/gi;
const HEX = /^(?=.*\d)(?=.*[a-f])[\da-f]{32,}$/i;

export function mayHoldToken(text: string): boolean {
  return /(?<![\w~+=-])(?=[\w~+-]*\d)[\w~+-]{16}/.test(text);
}

/** A text of a bank's own: what the call itself shows, as an id, stays. */
export function redactMessage(redaction: Redaction, text: string): string {
  return text.replace(WORD, (word) =>
    isRandom(word.replace(NO_SECRET, '')) && !isShown(redaction, word) ? redactSecret(redaction, word) : word,
  );
}

const DESCRIPTION = /(?<=[?&#]error_description=)[^&#]*/g;

/** An address that leads back with an error (RFC 6749 4.1.2.1). */
export function redactDescription(redaction: Redaction, address: string): string {
  if (!address.includes('error_description=')) return address;
  return address.replace(DESCRIPTION, (raw) => {
    const text = decodePercent(raw);
    const made = redactMessage(redaction, text);
    return made === text ? raw : encodeURIComponent(made);
  });
}

/** Capitals, small letters and digits take turns in it as in no word; or it is a long number in hex. */
function isRandom(word: string): boolean {
  if (HEX.test(word)) return true;
  if (!/\d/.test(word) || !/[a-z]/.test(word) || !/[A-Z]/.test(word)) return false;
  const turns = word.match(/[a-z]+|[A-Z]+|\d+/g)?.length ?? 0;
  return turns > word.length * 0.35;
}

function isShown({ request }: Redaction, word: string): boolean {
  if (request === null) return false;
  return request.target.includes(word) || request.headers.some(([, value]) => value.includes(word));
}
