import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html, htmlText, styleElement } from '../../src/answer/html.js';
import { codePoint } from '../code-points.js';

describe('html', () => {
  it('lets no value become markup, in text or attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (value) => {
        const text = htmlText(html`<p title="${value}">${value}</p>`);
        const inner = text.slice('<p title="'.length, -'</p>'.length);
        expect(inner.replace('">', '')).not.toMatch(/[<>"']/);
      }),
    );
  });

  it('escapes so that the value comes back when read', () => {
    const read = (text: string) =>
      text
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&');
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(read(htmlText(html`${value}`))).toBe(value);
      }),
    );
  });

  it('keeps markup that it made itself, alone and in lists', () => {
    const rows = ['a', '<b>'].map((one) => html`<li>${one}</li>`);
    expect(htmlText(html`<ul>${rows}</ul>${html`<hr>`}`)).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul><hr>');
  });

  it('writes nothing for what is absent, and numbers as they are', () => {
    expect(htmlText(html`[${null}${undefined}${false}${0}${''}]`)).toBe('[0]');
  });

  it('takes no markup in a style sheet', () => {
    expect(() => styleElement('a{}</style><script>')).toThrow(TypeError);
  });
});
