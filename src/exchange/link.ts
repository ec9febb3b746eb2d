/** Links in answers: absolute URLs, or a path alone. */

export interface Link {
  readonly base: string;
  readonly parameters: ReadonlyMap<string, string>;
}

export function isLink(text: string): boolean {
  return /^(?:https?:\/\/|\/(?!\/))[^\s"<>\\]*$/i.test(text);
}

export function divideLink(link: string): Link {
  const mark = link.indexOf('?');
  return mark < 0
    ? { base: link, parameters: new Map() }
    : { base: link.slice(0, mark), parameters: new Map(new URLSearchParams(link.slice(mark + 1))) };
}

/** A part of an address, percent-decoded; as it stands where its encoding is none. */
export function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The query of a link, without its fragment; empty where it has none. */
export function parametersOf(link: string): URLSearchParams {
  const [bare = ''] = link.split('#', 1);
  const mark = bare.indexOf('?');
  return new URLSearchParams(mark < 0 ? '' : bare.slice(mark + 1));
}

/** A request target in origin form: an absolute one loses its origin. */
export const withoutOrigin = (target: string): string =>
  target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');

/** Path and query of a request target, whatever its form. */
export function splitTarget(target: string): { path: string; query: string } {
  const relative = withoutOrigin(target);
  const mark = relative.indexOf('?');
  if (mark < 0) return { path: relative === '' ? '/' : relative, query: '' };
  return { path: relative.slice(0, mark) || '/', query: relative.slice(mark + 1) };
}

export function changeTarget(
  target: string,
  pathOf: (path: string) => string,
  queryOf: (query: string) => string,
): string {
  const mark = target.indexOf('?');
  if (mark < 0) return pathOf(target);
  return `${pathOf(target.slice(0, mark))}?${queryOf(target.slice(mark + 1))}`;
}
