/** The canonical form, by the examples of the standards and against another implementation. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { C14nCanonicalization, ExclusiveCanonicalization } from 'xml-crypto';
import { canonicalDocument, canonicalElement } from '../../src/xml/canonical.js';
import { elementAt, readXml } from '../../src/xml/index.js';

const EXCLUSIVE = { isExclusive: true, prefixes: [], without: null };
const INCLUSIVE = { ...EXCLUSIVE, isExclusive: false };

function rootOf(text: string) {
  const root = readXml(text, 50);
  if (typeof root === 'string') throw new Error(root);
  return root;
}

describe('the canonical form', () => {
  it.each([
    [
      'of attributes is sorted, by namespace first',
      '<a z="1" b:y="2" y="3" xmlns:b="urn:b" xmlns:a="urn:a"/>',
      '<a xmlns:a="urn:a" xmlns:b="urn:b" y="3" z="1" b:y="2"></a>',
    ],
    ['has no comments, and text for CDATA', '<a><!-- x -->1<![CDATA[<&>]]></a>', '<a>1&lt;&amp;&gt;</a>'],
    [
      'escapes what a reader would normalise',
      '<a b="&#9;&#10;&#13;&quot;&lt;>">&#13;"></a>',
      '<a b="&#x9;&#xA;&#xD;&quot;&lt;>">&#xD;"&gt;</a>',
    ],
    ['has one kind of line end', '<a>\r\n\r</a>', '<a>\n\n</a>'],
    [
      'keeps instructions, around the root too',
      '<?xml version="1.0"?><?p q?><a><?r?></a><?s t?>',
      '<?p q?>\n<a><?r?></a>\n<?s t?>',
    ],
    [
      'takes a default namespace back',
      '<a xmlns="urn:a"><b xmlns=""/></a>',
      '<a xmlns="urn:a"><b xmlns=""></b></a>',
    ],
    [
      'repeats no declaration',
      '<a:a xmlns:a="urn:a"><a:b xmlns:a="urn:a"/></a:a>',
      '<a:a xmlns:a="urn:a"><a:b></a:b></a:a>',
    ],
  ])('%s', (_, text, expected) => {
    expect(canonicalDocument(rootOf(text), INCLUSIVE)).toBe(expected);
  });

  const inner = '<a xmlns="urn:a" xmlns:u="urn:u" xmlns:v="urn:v" xml:lang="en"><v:b v:c=""/></a>';
  it.each([
    [
      'inclusive: with all namespaces and xml: attributes above it',
      INCLUSIVE,
      '<v:b xmlns="urn:a" xmlns:u="urn:u" xmlns:v="urn:v" xml:lang="en" v:c=""></v:b>',
    ],
    ['exclusive: with the namespaces that it uses', EXCLUSIVE, '<v:b xmlns:v="urn:v" v:c=""></v:b>'],
    [
      'exclusive, with prefixes named',
      { ...EXCLUSIVE, prefixes: ['u', '#default', 'none'] },
      '<v:b xmlns="urn:a" xmlns:u="urn:u" xmlns:v="urn:v" v:c=""></v:b>',
    ],
  ])('of an inner element, %s', (_, form, expected) => {
    const element = elementAt(rootOf(inner), 'b');
    expect(element && canonicalElement(element, form)).toBe(expected);
  });

  it('is that of xml-crypto for any document', () => {
    const name = fc.constantFrom('a', 'b', 'p:a', 'q:b');
    const attribute = fc.constantFrom(
      'x="1"',
      'p:x="&#10;"',
      'q:x="&lt;"',
      'xmlns="urn:d"',
      'xmlns:p="urn:p2"',
      'xmlns:q="urn:q2"',
    );
    const text = fc.constantFrom('', 't', '&amp;', '&#13;', ' \n', '<![CDATA[>]]>', '<!--c-->');
    const { tree } = fc.letrec<{ tree: string }>((tie) => ({
      tree: fc
        .tuple(
          name,
          fc.uniqueArray(attribute, { maxLength: 3 }),
          fc.array(fc.oneof({ maxDepth: 4 }, text, tie('tree')), { maxLength: 3 }),
        )
        .map(([tag, attributes, inside]) => `<${tag} ${attributes.join(' ')}>${inside.join('')}</${tag}>`),
    }));
    fc.assert(
      fc.property(tree, (inside) => {
        const root = rootOf(`<r xmlns:p="urn:p" xmlns:q="urn:q">${inside}</r>`);
        const options = { defaultNsForPrefix: {}, ancestorNamespaces: [], signatureNode: null };
        // Their types are those of browsers.
        const theirs = (Form: new () => { process: (node: never, options: object) => unknown }) =>
          new Form().process(root as never, options);
        expect(canonicalDocument(root, EXCLUSIVE)).toBe(theirs(ExclusiveCanonicalization));
        expect(canonicalDocument(root, INCLUSIVE)).toBe(theirs(C14nCanonicalization));
      }),
      { numRuns: 200 },
    );
  });
});
