/** Bodies of account information: the same all day at one address, so each is made and serialised once. */
import { createRecentCache, keepContent } from '../exchange/index.js';
import { type Rendered, renderJson } from './render.js';

/** In bytes of bodies. */
const REMEMBERED = 4_194_304;

export function createDayBodies(api: () => string) {
  const bodies = createRecentCache<string, Rendered>(REMEMBERED, ({ body }) => body.size);
  return (name: string, day: number, make: () => unknown): Rendered => {
    const key = `${day} ${api()} ${name}`;
    const known = bodies.get(key);
    if (known !== undefined) return known;
    const made = renderJson(make());
    bodies.set(key, made);
    keepContent(made.content);
    return made;
  };
}
