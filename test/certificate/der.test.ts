import forge from 'node-forge';
import { expect, it } from 'vitest';
import { isText } from '../../src/certificate/der.js';

const { Class, Type, create } = forge.asn1;

it.each([
  ['UTF8String', Type.UTF8, true],
  ['NumericString', 18, true],
  ['PrintableString', Type.PRINTABLESTRING, true],
  ['T61String', 20, true],
  ['IA5String', Type.IA5STRING, true],
  ['VisibleString', 26, true],
  ['UniversalString', 28, true],
  ['BMPString', Type.BMPSTRING, true],
  ['GeneralString', 27, false],
  ['OCTET STRING', Type.OCTETSTRING, false],
])('a %s counts as text or not', (_, type, isOne) => {
  expect(isText(create(Class.UNIVERSAL, type, false, 'x'))).toBe(isOne);
});
