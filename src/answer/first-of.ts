/** A chain of sources: the first one that has an answer gives it. */
import type { Call } from '../exchange/index.js';
import type { AnswerContext, Answered, Answerer } from './answerer.js';

/** Stays synchronous as long as the answerers are; goes by the name of the first. */
export function firstOf(answerers: readonly [Answerer, ...Answerer[]]): Answerer {
  const [first] = answerers;
  const knowing = answerers.find(({ knowsMore }) => knowsMore !== undefined);
  const askInOrder = (call: Call, context: AnswerContext, from = 0): ReturnType<Answerer['answer']> => {
    for (let next = from; next < answerers.length; next++) {
      const answerer = answerers[next];
      const refuses = context.refusal !== null && answerer?.refusesStrangers?.(call) === true;
      if (isUnread(call) && !refuses && answerer?.takesUnread?.(call) !== true) continue;
      const answered = answerer?.answer(call, context) ?? null;
      if (answered instanceof Promise)
        return answered.then((later) => later ?? askInOrder(call, context, next + 1));
      if (answered !== null) return answered satisfies Answered;
    }
    return null;
  };
  return {
    name: first.name,
    answer: askInOrder,
    refusalOf: (call, context) => (knowing?.refusalOf ?? asRefused)(call, context),
    changesOfRefused: (call, context) =>
      answerers.flatMap((answerer) => answerer.changesOfRefused?.(call, context) ?? []),
    takesUnread: (call) => answerers.some((answerer) => answerer.takesUnread?.(call)),
    refusesStrangers: (call) => first.refusesStrangers?.(call) === true,
    knowsMore: (call) => knowing?.knowsMore?.(call) === true,
    close: async () => {
      await Promise.all(answerers.map((answerer) => answerer.close?.()));
    },
  };
}

const asRefused: NonNullable<Answerer['refusalOf']> = (_call, { refusal }) => refusal;

/** Whether the gateway could not read the body. */
function isUnread({ request }: Call): boolean {
  return request.body?.truncated === true;
}
