/** Builds HTML with every value escaped, so that what a caller sends is never markup. */

const MARKUP: unique symbol = Symbol('markup');

/** Made by `html` and `styleElement` only: the symbol is not exported, and no parsed JSON can hold it. */
export interface Html {
  readonly [MARKUP]: string;
}

export type HtmlValue = string | number | Html | readonly Html[] | null | undefined | false;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const SPECIAL = /[&<>"']/g;

function escapeText(text: string): string {
  return text.replace(SPECIAL, (character) => ENTITIES[character] as string);
}

function isMarkup(value: object): value is Html {
  return MARKUP in value;
}

function textOf(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value !== 'object') return escapeText(String(value));
  return isMarkup(value) ? value[MARKUP] : value.map((one) => one[MARKUP]).join('');
}

/** Values may stand in text and in quoted attributes; nowhere else. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = strings[0] ?? '';
  for (const [i, value] of values.entries()) text += textOf(value) + (strings[i + 1] ?? '');
  return { [MARKUP]: text };
}

/** A style element with the sheet as it is; for constants only. */
export function styleElement(css: string): Html {
  if (css.includes('<')) throw new TypeError('A style sheet must not contain markup.');
  return { [MARKUP]: `<style>${css}</style>` };
}

export function htmlText(markup: Html): string {
  return markup[MARKUP];
}
