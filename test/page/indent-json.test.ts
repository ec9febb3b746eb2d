/** JSON as the live page lays it out. */
import { describe, expect, it } from 'vitest';
import { indentJson } from '../../src/page/exchange/indent-json.js';

const marked = (text: string, what: string): string => {
  const from = text.indexOf(what);
  const laidOut = indentJson(text, [{ from, to: from + what.length }]);
  const [span = { from: 0, to: 0 }] = laidOut.spans;
  return laidOut.text.slice(span.from, span.to);
};

describe('JSON that is laid out', () => {
  it('has breaks and depth, and every value as it was written', () => {
    const text = '{"a":1.50,"b":[ ],"c":{"d":"x, {\\"y\\"}"},"e":[1,2]}';
    const laidOut = indentJson(text, []).text;
    expect(laidOut).toBe(
      '{\n  "a": 1.50,\n  "b": [],\n  "c": {\n    "d": "x, {\\"y\\"}"\n  },\n  "e": [\n    1,\n    2\n  ]\n}',
    );
    expect(laidOut.replace(/\s+/g, '')).toBe(text.replace(/\s+/g, ''));
  });

  it('keeps marks on what they were on', () => {
    const text = '{ "amount": "12,50", "to": {"iban":"BE68"} }';
    expect(marked(text, '"12,50"')).toBe('"12,50"');
    expect(marked(text, '{"iban":"BE68"}')).toBe('{\n    "iban": "BE68"\n  }');
  });

  it('survives what is no JSON, or a great deal of it', () => {
    for (const text of ['', '"', '{"a', ']]}}', '\\"', 'a'.repeat(100)])
      expect(indentJson(text, [{ from: 0, to: text.length }]).text.length).toBeGreaterThanOrEqual(
        text.trim().length,
      );
    const long = JSON.stringify(Array.from({ length: 50_000 }, (_, i) => ({ i, text: 'x'.repeat(10) })));
    expect(indentJson(long, []).text.replace(/\s/g, '')).toBe(long);
  });
});
