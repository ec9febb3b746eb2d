import { describe, expect, it } from 'vitest';
import { xmlFault } from '../../../src/rules/checks/xml-form.js';

describe('XML', () => {
  it.each([
    ['<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.03"><a><b/></a></Document>'],
    [
      '\ufeff<?xml version="1.0" encoding="UTF-8"?>\n<!-- two > one -->\n<a b=\'>\'>1 &lt; 2<![CDATA[<x>]]></a>\n',
    ],
    ['<ns:a ns:b="1"  c = "2" />'],
  ])('is %s', (text) => {
    expect(xmlFault(text)).toBeNull();
  });

  it.each([
    ['{"a":1}', 'it has text beside its root'],
    ['', 'it has no element'],
    ['<a><b></a>', '</a> at character 7 closes nothing'],
    ['<a>', '<a> is not closed'],
    ['<a/><b/>', 'it has several roots'],
    ['<a/>x', 'it has text beside its root'],
    ['<a b=1/>', 'there is no tag at character 1'],
    ['<!DOCTYPE a [<!ENTITY b "c">]><a/>', 'there is no tag at character 1'],
    ['<a><!-- </a>', '<!-- at character 4 is not closed'],
    ['<a>'.repeat(201), 'it is nested more than 200 deep'],
  ])('is not %s', (text, fault) => {
    expect(xmlFault(text)).toBe(fault);
  });

  it.each([['<!--'], ['<a '], ['<a b="'], ['<'], [' ']])(
    'of a megabyte of %s is judged in one pass',
    (part) => {
      expect(xmlFault(`<r>${part.repeat(1_048_576 / part.length)}`)).not.toBeNull();
    },
  );
});
