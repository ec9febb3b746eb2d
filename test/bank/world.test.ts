/** A world moves on by changes of ledger and bank alike, and is taken back by their reverse. */
import { expect, it } from 'vitest';
import { applyFacts, createWorld, type FactChange, factsBack, type World } from '../../src/bank/index.js';
import { NOW, TPP } from '../builders.js';

const token = (key: string): FactChange => ({
  family: 'tokens',
  key,
  fact: { token: key, tpp: TPP, scope: 'AIS:x', issuedAt: NOW, expiresAt: NOW },
});
const outcome = (key: string, setAt = NOW): FactChange => ({
  family: 'bankOutcomes',
  key,
  fact: { scenario: 'SCA_OK', scope: null, psu: null, setAt },
});

it('facts of the ledger and of the bank go where they belong', () => {
  const { ledger, bank } = createWorld([token('a'), outcome('b'), outcome('b', 1)]);
  expect([[...ledger.tokens.keys()], [...bank.bankOutcomes.values()]]).toEqual([
    ['a'],
    [expect.objectContaining({ setAt: 1 })],
  ]);
});

it('changes are taken back, those of one key too', () => {
  const world = createWorld([token('a'), outcome('b')]);
  const changes = [
    outcome('b', 1),
    { ...token('a'), fact: null } as FactChange,
    outcome('c'),
    outcome('c', 2),
  ];
  const back = factsBack(world, changes);
  applyFacts(world, changes);
  expect([world.ledger.tokens.size, world.bank.bankOutcomes.size]).toEqual([0, 2]);
  applyFacts(world, back);
  const plain = ({ ledger, bank }: World) => [ledger.tokens, bank.bankOutcomes].map((facts) => [...facts]);
  expect(plain(world)).toEqual(plain(createWorld([token('a'), outcome('b')])));
});
