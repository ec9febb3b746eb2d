/** Finds a value in texts, however it is spelt: in either letter case, with blanks, escaped or coded. */
import { changeCoded, mayHoldCoded, packExchange } from '../../exchange/index.js';
import type { RecordedExchange } from '../../store/index.js';

export type Matches = (text: string) => boolean;

/** A coded text may hold coded parts again. */
const DEEPEST = 4;
/** A longer value is no part of another one by chance. */
const LONG = 16;

/** Account numbers are often written in groups. */
export function ibanMatcher(ibans: readonly string[]): Matches {
  const bare = (text: string): string => text.toUpperCase().replaceAll(/[\s+-]+/g, '');
  const wanted = ibans.map(bare);
  return inAnyCoding((text) => {
    const given = bare(text);
    return wanted.some((one) => given.includes(one));
  });
}

/** A short value has to stand by itself: `anna` is not `annabelle`. */
export function valueMatcher(values: Iterable<string>): Matches {
  const patterns = [...values].map((value) => {
    const escaped = value.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
    return value.length >= LONG ? escaped : `(?<![\\w@-])${escaped}(?![\\w@-])`;
  });
  if (patterns.length === 0) return () => false;
  const pattern = new RegExp(patterns.join('|'), 'i');
  return inAnyCoding((text) => pattern.test(text));
}

const ESCAPE = /\\u([\da-f]{4})/gi;

function inAnyCoding(matches: Matches): Matches {
  const inText = (given: string, depth: number): boolean => {
    const text = given.includes('\\')
      ? given
          .replaceAll(ESCAPE, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
          .replaceAll('\\/', '/')
      : given;
    if (matches(text)) return true;
    if (depth === DEEPEST || !mayHoldCoded(text)) return false;
    let isFound = false;
    changeCoded(text, (inner) => {
      isFound ||= inText(inner, depth + 1);
      return inner;
    });
    return isFound;
  };
  return (text) => inText(text, 0);
}

/** All of an exchange in which a person may be named. */
export function textOf({ exchange, findings }: RecordedExchange): string {
  const { own, shape, requestBody, answerBody } = packExchange(exchange);
  const bodies = [
    [exchange.call.request.body, requestBody],
    [exchange.answer?.body ?? null, answerBody],
  ] as const;
  return [
    JSON.stringify([own, shape, findings]),
    ...bodies.map(([body, text]) =>
      body?.base64 === true ? Buffer.from(text ?? '', 'base64').toString() : (text ?? ''),
    ),
  ].join('\n');
}
