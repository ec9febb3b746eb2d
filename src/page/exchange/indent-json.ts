/** JSON with line breaks, as text: values stay as they are written, and what is marked stays marked. */

/** In UTF-16 units. */
export type Span = { readonly from: number; readonly to: number };

const TOKEN = /\s+|"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|[{}[\],:]|[^\s{}[\],:"]+/g;
const INDENT = '  ';
export function indentJson(text: string, spans: readonly Span[]): { text: string; spans: readonly Span[] } {
  const froms = spans.map(() => 0);
  const tos = spans.map(() => 0);
  let out = '';
  let depth = 0;
  let gap = '';
  let previous = '';
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (/^\s/.test(token)) continue;
    const closes = token === '}' || token === ']';
    if (closes) {
      depth = Math.max(0, depth - 1);
      gap = previous === '{' || previous === '[' ? '' : `\n${INDENT.repeat(depth)}`;
    }
    out += gap;
    for (const [i, { from, to }] of spans.entries()) {
      if (from >= index && from < index + token.length) froms[i] = out.length + from - index;
      if (to > index && to <= index + token.length) tos[i] = out.length + to - index;
    }
    out += token;
    gap = '';
    if (token === '{' || token === '[') gap = `\n${INDENT.repeat(++depth)}`;
    else if (token === ',') gap = `\n${INDENT.repeat(depth)}`;
    else if (token === ':') gap = ' ';
    previous = token;
  }
  return {
    text: out,
    spans: spans.map((_, i) => ({ from: froms[i] ?? 0, to: Math.max(tos[i] ?? 0, froms[i] ?? 0) })),
  };
}
