/** Parts of a page that are rendered one by one, into bytes: together they would hold all their nodes in memory. */
import { type ComponentChildren, createContext, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { renderToString } from 'preact-render-to-string';

type Later = () => Iterable<ComponentChildren>;

const Waiting = createContext<Later[]>([]);

/** Control characters are made visible in all that a page tells. */
const placeOf = (index: number): string => `\u0001${index}\u0001`;

export function Apart<T>({ of, each }: { of: readonly T[]; each: (one: T) => ComponentChildren }) {
  const waiting = useContext(Waiting);
  waiting.push(function* () {
    for (const one of of) yield each(one);
  });
  return <>{placeOf(waiting.length - 1)}</>;
}

/** `within`: puts a part into what the page has around it. */
export function* renderApart(
  page: ComponentChildren,
  within: (part: ComponentChildren) => VNode,
): Generator<Buffer> {
  const waiting: Later[] = [];
  const text = renderToString(<Waiting.Provider value={waiting}>{within(page)}</Waiting.Provider>);
  let from = 0;
  for (const [i, later] of waiting.entries()) {
    const to = text.indexOf(placeOf(i), from);
    yield Buffer.from(text.slice(from, to));
    for (const part of later()) yield Buffer.from(renderToString(within(part)));
    from = to + placeOf(i).length;
  }
  yield Buffer.from(text.slice(from));
}
