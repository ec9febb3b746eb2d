/** Rewrites header fields of the bank's pages, so that for the browser they belong to the PSU listener. */
import { answerHeaders } from './forward-headers.js';
import { withoutSlash } from './link-map.js';

export interface PsuHeadersParts {
  readonly target: URL;
  /** Base URL of the PSU listener. */
  readonly url: () => string;
  /** What a Location becomes; null: it stays. */
  readonly turn: (location: string) => string | null;
}

/** It would bind the browser to HTTPS for all of localhost, for a year. */
const DROPPED = new Set(['strict-transport-security', 'alt-svc']);

/** Flat names and values. */
export function createPsuHeaders(parts: PsuHeadersParts): (raw: readonly string[]) => string[] {
  const base = withoutSlash(parts.target.pathname);
  return (raw) => {
    const secure = parts.url().startsWith('https:');
    const flat: string[] = [];
    for (const [name, value] of answerHeaders(raw)) {
      const key = name.toLowerCase();
      if (DROPPED.has(key)) continue;
      if (key === 'set-cookie') flat.push(name, rewriteCookie(value, base, secure));
      else if (key === 'location') flat.push(name, parts.turn(value) ?? value);
      else flat.push(name, value);
    }
    return flat;
  };
}

/** The cookie becomes one of the PSU listener: no domain, no base path, and sent over plain HTTP where that is spoken. */
export function rewriteCookie(cookie: string, base: string, secure: boolean): string {
  const [pair = '', ...attributes] = cookie.split(';');
  const kept = attributes.flatMap((attribute) => {
    const [name = '', value = ''] = attribute.split('=', 2).map((part) => part.trim());
    switch (name.toLowerCase()) {
      case 'domain':
        return [];
      case 'secure':
        return secure ? [attribute] : [];
      case 'path':
        return base !== '' && (value === base || value.startsWith(`${base}/`))
          ? [` Path=${value.slice(base.length) || '/'}`]
          : [attribute];
      default:
        return [attribute];
    }
  });
  return [pair, ...kept].join(';');
}
