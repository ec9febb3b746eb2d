/** The layout of every dashboard page: nothing loaded from elsewhere, strict headers; without script a page of its own. */
import { hash } from 'node:crypto';
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { visible } from '../../report/index.js';
import type { PageAbout } from '../page/port.js';
import { DASHBOARD_STYLE } from './dashboard-style.js';

const STYLE_HASH = hash('sha256', DASHBOARD_STYLE, 'base64');

/** `isLive`: the page's own program may run. What it shows it writes as text: no string becomes markup or script. */
export function pageHeaders(isLive: boolean): Readonly<Record<string, string>> {
  const own = isLive
    ? "; script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'"
    : '';
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src ${isLive ? "'self' " : ''}'sha256-${STYLE_HASH}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'${own}`,
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
  };
}

const PLACES = [
  ['/', 'Overview'],
  ['/exchanges', 'Exchanges'],
  ['/metrics', 'Metrics'],
  ['/readyz', 'Readiness'],
] as const;

export interface PageParts {
  readonly title: string;
  /** Where in the navigation it stands. */
  readonly place: (typeof PLACES)[number][0] | null;
  readonly children: ComponentChildren;
}

/** Renders a page; with what the live page is told where it stands in for this one. */
export type Render = (live: PageAbout | null) => string;

export function renderPage(parts: PageParts): Render {
  return (live) => `<!doctype html>\n${renderToString(<Layout {...parts} live={live} />)}\n`;
}

function Layout({ title, place, children, live }: PageParts & { readonly live: PageAbout | null }) {
  // Unescaped, because it is a constant of ours.
  const style = <style dangerouslySetInnerHTML={{ __html: DASHBOARD_STYLE }} />;
  const body = <Static title={title} place={place} children={children} />;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{`${visible(title)} – Sandgate`}</title>
        <link rel="icon" href="data:," />
        {live === null ? (
          style
        ) : (
          <>
            <link rel="stylesheet" href="/page/main.css" media="(scripting: enabled)" />
            <script type="module" src="/page/main.js" />
            <noscript>{style}</noscript>
          </>
        )}
      </head>
      {live === null ? (
        <body>{body}</body>
      ) : (
        <body data-about={JSON.stringify(live)}>
          <noscript>{body}</noscript>
        </body>
      )}
    </html>
  );
}

function Static({ title, place, children }: PageParts) {
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header>
        <p class="brand">Sandgate</p>
        <nav aria-label="Pages">
          <ul>
            {PLACES.map(([href, name]) => (
              <li key={href}>
                <a href={href} aria-current={href === place ? 'page' : undefined}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      <main id="main">
        <h1>{visible(title)}</h1>
        {children}
      </main>
    </>
  );
}
