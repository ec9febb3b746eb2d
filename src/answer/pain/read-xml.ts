/** Reads XML that a stranger sent: small, flat, and without a DTD, so that no entity is ever expanded. */
import { createRequire } from 'node:module';
import type { Document, Element, Node } from '@xmldom/xmldom';

const require = createRequire(import.meta.url);

/** The deepest element of a pain.001 is the tenth. */
const MOST_DEPTH = 30;

/** The root element; or what is wrong with the text. */
export function readXml(text: string): Element | string {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) return 'a document type declaration is not taken';
  const document = parse(text);
  const root = document?.documentElement;
  if (root == null) return 'it is not well-formed XML';
  return isTooDeep(root) ? `it is nested more than ${MOST_DEPTH} deep` : root;
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

function isTooDeep(root: Element): boolean {
  let level: Element[] = [root];
  for (let depth = 0; depth < MOST_DEPTH; depth++) {
    level = level.flatMap((element) => elementsIn(element));
    if (level.length === 0) return false;
  }
  return true;
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
