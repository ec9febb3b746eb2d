/** Reads XML that a stranger sent: within a depth, and without a DTD, so that no entity is ever expanded. */
import { createRequire } from 'node:module';
import type { Document, Element, Node } from '@xmldom/xmldom';

const require = createRequire(import.meta.url);

const LONGEST_TAG = 4_096;
/** A list of 10 MB has 80,000. */
const MOST_ELEMENTS = 300_000;

/** The root element; or what is wrong with the text. `deepest`: how deep its elements may be nested. */
export function readXml(text: string, deepest: number): Element | string {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) return 'a document type declaration is not taken';
  const fault = shapeFault(text, deepest);
  if (fault !== null) return fault;
  return parse(text)?.documentElement ?? 'it is not well-formed XML';
}

const TAG = /<[^"'<>]*(?:"[^"]*"[^"'<>]*|'[^']*'[^"'<>]*)*>/y;
const PASSED_OVER = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

/** The library's time grows with the square of depth and of the number of attributes, its memory with elements: all are bounded before. */
function shapeFault(text: string, deepest: number): string | null {
  let depth = 0;
  let elements = 0;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    const passed = PASSED_OVER.find(([begin]) => text.startsWith(begin, at));
    if (passed !== undefined) {
      const end = text.indexOf(passed[1], at + passed[0].length);
      if (end < 0) return null;
      at = end;
      continue;
    }
    TAG.lastIndex = at;
    const tag = TAG.exec(text)?.[0];
    if (tag === undefined) return null;
    if (tag.length > LONGEST_TAG) return `a tag is longer than ${LONGEST_TAG} characters`;
    if (tag[1] === '/') depth--;
    else if (++elements > MOST_ELEMENTS) return `it has more than ${MOST_ELEMENTS} elements`;
    else if (tag.at(-2) !== '/' && ++depth > deepest) return `it is nested more than ${deepest} deep`;
    at += tag.length;
  }
  return null;
}

/** The library is loaded with the first XML: most gateways never see any. */
function parse(text: string): Document | undefined {
  const { DOMParser, onWarningStopParsing }: typeof import('@xmldom/xmldom') = require('@xmldom/xmldom');
  try {
    return new DOMParser({ onError: onWarningStopParsing }).parseFromString(text, 'application/xml');
  } catch {
    return undefined;
  }
}

const isElement = (node: Node): node is Element => node.nodeType === node.ELEMENT_NODE;

/** Child elements, of any namespace; of one name where it is given. */
export function elementsIn(parent: Element | undefined, name?: string): Element[] {
  const found: Element[] = [];
  for (let node = parent?.firstChild ?? null; node !== null; node = node.nextSibling)
    if (isElement(node) && (name === undefined || node.localName === name)) found.push(node);
  return found;
}

/** The first element at a path of names: `GrpHdr/MsgId`. */
export function elementAt(parent: Element | undefined, path: string): Element | undefined {
  return path.split('/').reduce<Element | undefined>((at, name) => elementsIn(at, name)[0], parent);
}

/** Its text without blanks around it; undefined where it is not there, or empty. */
export function textAt(parent: Element | undefined, path: string): string | undefined {
  const text = elementAt(parent, path)?.textContent?.trim();
  return text === '' ? undefined : text;
}
