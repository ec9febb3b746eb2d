/** Reads a page of HTML as a person without script sees it: its words, forms, links, and where it leads by itself. */
import { type DefaultTreeAdapterMap, parse } from 'parse5';

type Node = DefaultTreeAdapterMap['node'];
type Element = DefaultTreeAdapterMap['element'];

export interface Form {
  readonly action: string;
  readonly method: string;
  /** Names and values of what has both; buttons too. */
  readonly fields: readonly (readonly [name: string, value: string])[];
}

export interface Page {
  readonly text: string;
  readonly forms: readonly Form[];
  readonly links: readonly string[];
  readonly frames: readonly string[];
  /** The address to which a meta refresh leads. */
  readonly refresh: string | null;
}

const UNSEEN = new Set(['script', 'style', 'noscript', 'template', 'head', 'svg']);
const FIELDS = new Set(['input', 'button', 'select', 'textarea']);
const LONGEST_TEXT = 4_000;
/** Browsers nest no deeper, and the stack of calls would end. */
const DEEPEST = 512;

export function readPage(html: string): Page {
  const words: string[] = [];
  const forms: { action: string; method: string; fields: [string, string][] }[] = [];
  const links: string[] = [];
  const frames: string[] = [];
  let refresh: string | null = null;
  const visit = (node: Node, isSeen: boolean, depth = 0): void => {
    if (depth > DEEPEST) return;
    if (node.nodeName === '#text' && isSeen) words.push((node as DefaultTreeAdapterMap['textNode']).value);
    const isElement = 'tagName' in node;
    if (isElement) {
      const of = attributesOf(node);
      if (node.tagName === 'form')
        forms.push({ action: of('action'), method: of('method').toUpperCase() || 'GET', fields: [] });
      if (FIELDS.has(node.tagName) && of('name') !== '') forms.at(-1)?.fields.push([of('name'), of('value')]);
      if (node.tagName === 'a' && of('href') !== '') links.push(of('href'));
      if (node.tagName === 'iframe' && of('src') !== '') frames.push(of('src'));
      if (node.tagName === 'meta' && of('http-equiv').toLowerCase() === 'refresh')
        refresh = refreshIn(of('content')) ?? refresh;
    }
    if (!('childNodes' in node)) return;
    const goesOn = isSeen && !(isElement && UNSEEN.has(node.tagName));
    for (const child of node.childNodes) visit(child, goesOn, depth + 1);
    if (isElement) words.push(' ');
  };
  visit(parse(html), true);
  const text = words.join('').replace(/\s+/g, ' ').trim().slice(0, LONGEST_TEXT);
  return { text, forms, links, frames, refresh };
}

/** `1; url=https://app.example/back`; null where it leads nowhere. */
export const refreshIn = (text: string): string | null =>
  /^\s*[\d.]+\s*[;,]\s*url\s*=\s*['"]?([^'"]*)/i.exec(text)?.[1] ?? null;

const attributesOf =
  ({ attrs }: Element) =>
  (name: string): string =>
    attrs.find((one) => one.name === name)?.value ?? '';
