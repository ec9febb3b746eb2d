/** Makes text safe for XML 1.0. */

/** Characters that XML 1.0 has no form for, and lone halves of surrogate pairs. */
const FORBIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

export function xmlText(text: string): string {
  return text.replace(FORBIDDEN, '\ufffd').replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? sign);
}

export function xmlAttribute(text: string): string {
  return text.replace(FORBIDDEN, '\ufffd').replace(/[&<>"'\t\n\r]/g, (sign) => ENTITIES[sign] ?? sign);
}
