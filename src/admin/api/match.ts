/** Finds the route of a request by its method and path. */
import type { Route } from './route.js';

export interface Matched {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** null where there is none. Parts that are words come before parameters in a list, and so are found first. */
export function createMatch(routes: readonly Route[]): (method: string, path: string) => Matched | null {
  const patterns = routes.map((route) => ({ route, parts: route.path.split('/') }));
  return (method, path) => {
    const wanted = path.split('/');
    for (const { route, parts } of patterns) {
      if (route.method !== method || parts.length !== wanted.length) continue;
      const params = paramsOf(parts, wanted);
      if (params !== null) return { route, params };
    }
    return null;
  };
}

function paramsOf(parts: readonly string[], wanted: readonly string[]): Record<string, string> | null {
  const params: Record<string, string> = {};
  for (const [i, part] of parts.entries()) {
    const given = wanted[i] ?? '';
    if (!part.startsWith(':')) {
      if (part !== given) return null;
      continue;
    }
    const value = decoded(given);
    if (value === null || value === '') return null;
    params[part.slice(1)] = value;
  }
  return params;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
