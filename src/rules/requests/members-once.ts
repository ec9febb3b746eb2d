import { repeatedMember } from '../../exchange/index.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'requests/members-once',
  statement: 'Every member of a JSON body occurs once in its object',
  sources: ['RFC8259 4'],
  severity: { sandbox: 'should', production: 'should' },
  appliesTo: ({ body }) => body !== 'none',
  needs: ['json'],
  why: 'One reader takes the first of the two, another one the last, so the bank may use the value that was not checked.',
  fix: 'Make the body with a JSON library, which writes each member once.',
  examples: { complies: '{"frequencyPerDay":4}', violates: '{"frequencyPerDay":4,"frequencyPerDay":99}' },
  check: ({ call }) => {
    const name = repeatedMember(call.request.body?.text ?? '');
    if (name === undefined) return true;
    return violation(`body ${name.slice(0, 100)}`, 'the member once', 'twice');
  },
});
