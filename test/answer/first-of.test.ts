import { describe, expect, it } from 'vitest';
import { type Answered, type Answerer, firstOf } from '../../src/answer/index.js';
import { aCall, anAnswer } from '../builders.js';
import { aContext } from './an-emulator.js';

const answered: Answered = { answer: anAnswer({ body: {} }) };
const other: Answered = { answer: anAnswer({ status: 404 }) };
const gives = (given: ReturnType<Answerer['answer']>, name: Answerer['name'] = 'replay'): Answerer => ({
  name,
  answer: () => given,
});
const never: Answerer = {
  name: 'upstream',
  answer: () => {
    throw new Error('must not be asked');
  },
};
const ask = (chain: Answerer) => chain.answer(aCall(), aContext());

describe('firstOf', () => {
  it('answers at once where the first does', () => {
    expect(ask(firstOf([gives(answered), never]))).toBe(answered);
  });

  it('hands on from one that has no answer, at once or later', async () => {
    expect(ask(firstOf([gives(null), gives(other)]))).toBe(other);
    expect(await ask(firstOf([gives(Promise.resolve(null)), gives(null), gives(other)]))).toBe(other);
    expect(await ask(firstOf([gives(Promise.resolve(answered)), never]))).toBe(answered);
  });

  it('has no answer where none has', async () => {
    expect(ask(firstOf([gives(null)]))).toBeNull();
    expect(await ask(firstOf([gives(null), gives(Promise.resolve(null))]))).toBeNull();
  });

  it('asks about a body that could not be read only who sends it on as it is', async () => {
    const sending: Answerer = { ...gives(answered), takesUnread: () => true };
    const unread = aCall({ operation: 'consents.create' });
    const body = { text: '', size: 9, truncated: true } as const;
    const { target, headers } = unread.request;
    const call = unread.sending(unread.request.with(target, headers, body));
    expect(firstOf([never, sending]).answer(call, aContext())).toBe(answered);
    expect(firstOf([never]).answer(call, aContext())).toBeNull();
    expect(firstOf([never, sending]).takesUnread?.(call)).toBe(true);
    expect(firstOf([never]).takesUnread?.(call)).toBe(false);
  });

  it('takes the word of the first that has a say whether more is known than was seen', () => {
    const says = (more: boolean): Answerer => ({ ...gives(answered), knowsMore: () => more });
    const saysNothing = gives(null);
    const known = (...chain: [Answerer, ...Answerer[]]) => firstOf(chain).knowsMore?.(aCall());
    expect(known(says(false), says(true))).toBe(false);
    expect(known(says(true), says(false))).toBe(true);
    expect(known(saysNothing, says(true))).toBe(true);
    expect(known(saysNothing)).toBe(false);
  });

  it('goes by the name of the first and closes all', async () => {
    const closed: string[] = [];
    const closing = (name: Answerer['name']): Answerer => ({
      ...gives(null, name),
      close: async () => {
        closed.push(name);
      },
    });
    const chain = firstOf([closing('upstream'), gives(null), closing('emulator')]);
    expect(chain.name).toBe('upstream');
    await chain.close?.();
    expect(closed).toEqual(['upstream', 'emulator']);
  });
});
