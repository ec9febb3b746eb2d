/** Canonical XML (W3C Canonical XML 1.0 and Exclusive Canonicalization 1.0, without comments): the text that signatures hash. */
import type { Element, Node, ProcessingInstruction } from '@xmldom/xmldom';

const XMLNS = 'http://www.w3.org/2000/xmlns/';
const XML = 'http://www.w3.org/XML/1998/namespace';

export interface CanonicalForm {
  readonly isExclusive: boolean;
  /** Treated as in the inclusive form, also in the exclusive one; `#default` is the default namespace. */
  readonly prefixes: readonly string[];
  /** Left out, with all that is in it. */
  readonly without: Element | null;
}

type Namespaces = ReadonlyMap<string, string>;
type Attributes = readonly { readonly name: string; readonly value: string }[];

/** The whole document of an element. */
export function canonicalDocument(root: Element, form: CanonicalForm): string {
  const pieces: string[] = [];
  let isBefore = true;
  for (let node = root.ownerDocument?.firstChild ?? null; node !== null; node = node.nextSibling) {
    if (node === root) write(root, form, new Map(), new Map(), [], pieces);
    // The parser takes the XML declaration for one.
    else if (isInstruction(node) && node.target !== 'xml')
      pieces.push(isBefore ? `${instruction(node)}\n` : `\n${instruction(node)}`);
    if (node === root) isBefore = false;
  }
  return pieces.join('');
}

/** An element with what is in it; in the inclusive form it takes the namespaces and `xml:` attributes of those above it. */
export function canonicalElement(element: Element, form: CanonicalForm): string {
  const scope = new Map<string, string>();
  const inherited = new Map<string, Attributes[number]>();
  const above: Element[] = [];
  for (let one = element.parentNode; one !== null && isElement(one); one = one.parentNode) above.unshift(one);
  for (const one of above)
    for (const attribute of one.attributes) {
      if (attribute.namespaceURI === XMLNS) scope.set(prefixOf(attribute.name), attribute.value);
      else if (attribute.namespaceURI === XML) inherited.set(attribute.name, attribute);
    }
  for (const { name } of element.attributes) inherited.delete(name);
  const pieces: string[] = [];
  write(element, form, scope, new Map(), form.isExclusive ? [] : [...inherited.values()], pieces);
  return pieces.join('');
}

const isElement = (node: Node): node is Element => node.nodeType === node.ELEMENT_NODE;
const isInstruction = (node: Node): node is ProcessingInstruction =>
  node.nodeType === node.PROCESSING_INSTRUCTION_NODE;
const instruction = ({ target, data }: ProcessingInstruction): string =>
  `<?${target}${data === '' ? '' : ` ${data}`}?>`;
/** The prefix that a declaration is for; empty for the default namespace. */
const prefixOf = (name: string): string => (name === 'xmlns' ? '' : name.slice('xmlns:'.length));

/** @param rendered namespaces as the elements above have been written with */
function write(
  element: Element,
  form: CanonicalForm,
  above: Namespaces,
  rendered: Namespaces,
  more: Attributes,
  pieces: string[],
): void {
  const own = [...element.attributes];
  const scope = new Map(above);
  for (const { namespaceURI, name, value } of own)
    if (namespaceURI === XMLNS) scope.set(prefixOf(name), value);
  const attributes = own.filter(({ namespaceURI }) => namespaceURI !== XMLNS);
  const prefixes = form.isExclusive
    ? new Set([
        element.prefix ?? '',
        ...attributes.flatMap(({ prefix }) => prefix ?? []),
        ...form.prefixes.map((one) => (one === '#default' ? '' : one)),
      ])
    : new Set(scope.keys());
  const written = new Map(rendered);
  pieces.push('<', element.tagName);
  for (const prefix of [...prefixes].sort()) {
    const uri = scope.get(prefix) ?? (prefix === '' ? '' : undefined);
    if (prefix === 'xml' || uri === undefined || (written.get(prefix) ?? '') === uri) continue;
    written.set(prefix, uri);
    pieces.push(prefix === '' ? ' xmlns="' : ` xmlns:${prefix}="`, escapeValue(uri), '"');
  }
  const sorted = [
    ...attributes.map(({ name, value, localName, namespaceURI }) => ({
      name,
      value,
      order: `${namespaceURI ?? ''} ${localName ?? name}`,
    })),
    ...more.map(({ name, value }) => ({ name, value, order: `${XML} ${name.slice('xml:'.length)}` })),
  ].sort((a, b) => (a.order < b.order ? -1 : 1));
  for (const { name, value } of sorted) pieces.push(' ', name, '="', escapeValue(value), '"');
  pieces.push('>');
  for (let node = element.firstChild; node !== null; node = node.nextSibling) {
    if (node === form.without) continue;
    if (isElement(node)) write(node, form, scope, written, [], pieces);
    else if (node.nodeType === node.TEXT_NODE || node.nodeType === node.CDATA_SECTION_NODE)
      pieces.push(escapeText(node.nodeValue ?? ''));
    else if (isInstruction(node)) pieces.push(instruction(node));
  }
  pieces.push('</', element.tagName, '>');
}

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};
const escapeText = (text: string): string => text.replace(/[&<>\r]/g, (one) => ESCAPED[one] ?? one);
const escapeValue = (text: string): string => text.replace(/[&<"\t\n\r]/g, (one) => ESCAPED[one] ?? one);
