/** The tree of a certificate: every part that a rule names is in it, so that no fault is left out. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type CertificateNode, certificateTree } from '../../src/certificate/index.js';
import { NOW } from '../builders.js';
import { aQwac, factsOf } from './made.js';

const FOLDER = 'src/rules/certificate';
const all = (nodes: readonly CertificateNode[]): readonly CertificateNode[] =>
  nodes.flatMap((node) => [node, ...all(node.parts)]);

it('has a part for every place in a certificate that a rule names', () => {
  const named = readdirSync(FOLDER).flatMap((file) =>
    [...readFileSync(`${FOLDER}/${file}`, 'utf8').matchAll(/['`]certificate ([A-Za-z][^'`]*)['`]/g)].map(
      ([, place]) => place,
    ),
  );
  expect(named.length).toBeGreaterThan(10);
  const facts = factsOf(aQwac());
  const places = new Set(all(certificateTree(facts, NOW)).map(({ place }) => place));
  const [role] = facts.roles;
  expect(places).toContain(`role ${role?.oid}`);
  expect(named.filter((place = '') => !place.startsWith('role ') && !places.has(place))).toEqual([]);
});

it('shows the parts of the organizationIdentifier and of the PSD2 statement below them', () => {
  const tree = certificateTree(factsOf(aQwac()), NOW);
  const below = (term: string) =>
    all(tree)
      .find((node) => node.term === term)
      ?.parts.map(({ term, text }) => [term, text]);
  expect(below('organizationIdentifier')?.map(([term]) => term)).toEqual([
    ...['Scheme', 'Country', 'Authority', 'Number'],
  ]);
  expect(below('PSD2 statement')?.map(([term]) => term)).toEqual(['Roles', 'NCA', 'NCA id']);
});
