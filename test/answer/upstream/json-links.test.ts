/** Links are turned inside the JSON text, and nothing else of it changes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rewriteJsonLinks } from '../../../src/answer/upstream/json-links.js';
import type { TurnLink } from '../../../src/answer/upstream/link-map.js';
import { codePoint, urlPath } from '../../code-points.js';
import { processorTime } from '../../processor-time.js';

const BANK = 'https://bank.example/sandbox';
const GATEWAY = 'https://127.0.0.1:8443';

const map: TurnLink = (url) => (url.startsWith(`${BANK}/`) ? { cut: BANK.length, prefix: GATEWAY } : null);

const rewritten = (text: string) => rewriteJsonLinks(text, 'links', map);

describe('turnJsonLinks', () => {
  it.each([
    ['an href', `{"_links":{"self":{"href":"${BANK}/a"}}}`, `{"_links":{"self":{"href":"${GATEWAY}/a"}}}`],
    ['a link as a string', `{"_links":{"self":"${BANK}/a"}}`, `{"_links":{"self":"${GATEWAY}/a"}}`],
    [
      'a list of links',
      `{"_links":{"item":[{"href":"${BANK}/a"}]}}`,
      `{"_links":{"item":[{"href":"${GATEWAY}/a"}]}}`,
    ],
    [
      'deep links',
      `[[{"a":{"_links":{"next":{"href":"${BANK}/a"}}}}]]`,
      `[[{"a":{"_links":{"next":{"href":"${GATEWAY}/a"}}}}]]`,
    ],
    [
      'odd spaces',
      `{ "_links" :\n{"self"\t: {"href" : "${BANK}/a"} } }`,
      `{ "_links" :\n{"self"\t: {"href" : "${GATEWAY}/a"} } }`,
    ],
    [
      'escaped slashes, in their spelling',
      `{"_links":{"self":{"href":"https:\\/\\/bank.example\\/sandbox\\/a\\/\\u00e9"}}}`,
      `{"_links":{"self":{"href":"https:\\/\\/127.0.0.1:8443\\/a\\/\\u00e9"}}}`,
    ],
    [
      'other escapes in front',
      `{"_links":{"self":{"href":"\\u0068ttps://bank.example/sandbox/a\\"b"}}}`,
      `{"_links":{"self":{"href":"${GATEWAY}/a\\"b"}}}`,
    ],
    [
      'an escaped key',
      `{"_links":{"self":{"hre\\u0066":"${BANK}/a"}}}`,
      `{"_links":{"self":{"hre\\u0066":"${GATEWAY}/a"}}}`,
    ],
  ])('turns %s', (_, text, expected) => {
    expect(rewritten(text)).toBe(expected);
  });

  it.each([
    ['a text outside _links', `{"remittance":"${BANK}/a","_links":{}}`],
    ['a text that speaks of _links', `{"t":"{\\"_links\\":{\\"self\\":{\\"href\\":\\"${BANK}/a\\"}}}"}`],
    ['a value that is called _links', `["_links",{"self":{"href":"${BANK}/a"}}]`],
    ['what follows a _links that is no object', `[{"_links":null},{"self":{"href":"${BANK}/a"}}]`],
    ['what follows _links', `{"_links":{"self":{"href":"x"}},"self":{"href":"${BANK}/a"}}`],
    ['another member of a link', `{"_links":{"self":{"title":"${BANK}/a"}}}`],
    ['a key that is a link', `{"_links":{"${BANK}/a":{"href":"x"}}}`],
    ['links of others', '{"_links":{"self":{"href":"https://tpp.example/sandbox/a"}}}'],
    ['no JSON', `_links ${BANK}/a`],
    ['a string without end', `{"_links":{"self":{"href":"${BANK}/a`],
    ['nothing', ''],
  ])('leaves alone %s', (_, text) => {
    expect(rewritten(text)).toBeNull();
  });

  it('names the link to the map', () => {
    const names: string[] = [];
    const note: TurnLink = (_, name) => {
      names.push(name);
      return null;
    };
    rewriteJsonLinks('{"_links":{"scaOAuth":{"href":"a"},"next":"b","item":[{"href":"c"}]}}', 'links', note);
    rewriteJsonLinks('{"issuer":"a","x":{"y":"b"},"token_endpoint":"c"}', 'links-and-members', note);
    expect(names).toEqual(['scaOAuth', 'next', 'item', 'issuer', 'y', 'token_endpoint']);
  });

  it('takes a deep text without recursion, and a long one in a time that grows with it', () => {
    const deep = `${'['.repeat(200_000)}"_links"${']'.repeat(200_000)}`;
    expect(rewritten(deep)).toBeNull();
    const long = `{"_links":{"self":{"href":"${'\\\\"'.replace('"', '\\"').repeat(200_000)}"}}}`;
    const started = processorTime();
    expect(rewritten(long)).toBeNull();
    expect(processorTime() - started).toBeLessThan(2_000);
  });
});

/** Any JSON with links of the bank and of others strewn into it, in `_links` and elsewhere. */
const link = fc.oneof(
  urlPath.map((path) => `${BANK}${path === '' ? '/' : path}`),
  fc.tuple(fc.domain(), urlPath).map(([domain, path]) => `https://${domain}${path}`),
  fc.string({ unit: codePoint }),
);
const key = fc.oneof(fc.constantFrom('_links', 'href', 'self', 'next', 'scaOAuth'), fc.string());
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 6 },
    link,
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('json')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
}));
/** As a bank may write it: with slashes and letters escaped, with spaces. */
const text = fc
  .tuple(json, fc.boolean(), fc.boolean(), fc.constantFrom(0, 1, '\t'))
  .map(([value, slashes, ascii, indent]) => {
    let written = JSON.stringify(value, null, indent);
    if (slashes) written = written.replaceAll('/', '\\/');
    if (ascii) {
      written = written.replace(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
    return written;
  });

/** What should come out, by way of parsing. */
function expected(value: unknown, inLinks = false, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => expected(item, inLinks));
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([member, item]) => {
      const isLink = inLinks && typeof item === 'string' && (name === '_links' || member === 'href');
      if (isLink) return [member, turn(item)];
      return [member, expected(item, inLinks || member === '_links', inLinks ? '' : member)];
    });
    return Object.fromEntries(entries);
  }
  return value;
}

function turn(url: string): string {
  return url.startsWith(`${BANK}/`) ? GATEWAY + url.slice(BANK.length) : url;
}

describe('for any JSON', () => {
  it('exactly the links of the bank in _links are turned', () => {
    fc.assert(
      fc.property(text, (written) => {
        const result = rewritten(written) ?? written;
        expect(JSON.parse(result)).toEqual(expected(JSON.parse(written)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('all bytes but those of the turned beginnings stay as they were', () => {
    fc.assert(
      fc.property(text, (written) => {
        const result = rewritten(written);
        if (result === null) return;
        const back = result
          .replaceAll(GATEWAY, BANK)
          .replaceAll(GATEWAY.replaceAll('/', '\\/'), BANK.replaceAll('/', '\\/'));
        expect(back).toBe(written);
      }),
      { numRuns: 2_000 },
    );
  });

  it('any text at all is taken without an error', () => {
    const pieces = fc.constantFrom(
      '"_links"',
      '"href"',
      ':',
      ',',
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      '\\u12',
      ' ',
      BANK,
      'a',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const written = parts.join('');
        const result = rewritten(written);
        if (result !== null) expect(result.replaceAll(GATEWAY, BANK)).toBe(written);
      }),
      { numRuns: 5_000 },
    );
  });
});
