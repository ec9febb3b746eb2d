/** HTML whose values are escaped. */
export interface Html {
  readonly html: string;
}

type Value = string | number | Html | readonly Html[] | null | undefined | false;

export function html(texts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { html: texts.map((text, at) => text + render(values[at])).join('') };
}

function render(value: Value): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value));
  return 'html' in value ? value.html : value.map(({ html }) => html).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
