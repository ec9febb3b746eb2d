/** Writes elements of XML; what is empty is left out. */
import { type Rendered, textBody } from '../render.js';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** No XML may hold the other control characters, not even escaped. */
const NEVER = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

export const escaped = (text: string): string =>
  text.replace(NEVER, '').replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);

/** An element of others. */
export function element(name: string, ...inner: readonly string[]): string {
  const content = inner.join('');
  return content === '' ? '' : `<${name}>${content}</${name}>`;
}

/** An element of a text. `attribute`: `Ccy="EUR"`. */
export function leaf(name: string, text: unknown, attribute?: string): string {
  if (typeof text !== 'string' || text === '') return '';
  return `<${name}${attribute === undefined ? '' : ` ${attribute}`}>${escaped(text)}</${name}>`;
}

export const XML_TYPE = 'application/xml';

/** `message`: `pain.002.001.03`. */
export const xmlDocument = (message: string, ...inner: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${message}">${inner.join('')}</Document>`;

export const renderXml = (text: string): Rendered => ({
  type: XML_TYPE,
  body: textBody(text),
  content: { kind: 'opaque' },
});
