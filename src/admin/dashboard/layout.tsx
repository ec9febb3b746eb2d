/** The layout of every dashboard page: no script, nothing loaded from elsewhere, strict headers. */
import { createHash } from 'node:crypto';
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { visible } from '../../report/index.js';
import { DASHBOARD_STYLE } from './dashboard-style.js';

const STYLE_HASH = createHash('sha256').update(DASHBOARD_STYLE).digest('base64');

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
};

const PLACES = [
  ['/', 'Overview'],
  ['/exchanges', 'Exchanges'],
  ['/metrics', 'Metrics'],
  ['/readyz', 'Readiness'],
] as const;

export interface PageParts {
  readonly title: string;
  /** Where in the navigation it stands. */
  readonly place: (typeof PLACES)[number][0];
  readonly children: ComponentChildren;
}

export function renderPage(parts: PageParts): string {
  return `<!doctype html>\n${renderToString(<Layout {...parts} />)}\n`;
}

function Layout({ title, place, children }: PageParts) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{`${visible(title)} – Sandgate`}</title>
        <link rel="icon" href="data:," />
        {/* Unescaped, because it is a constant of ours. */}
        <style dangerouslySetInnerHTML={{ __html: DASHBOARD_STYLE }} />
      </head>
      <body>
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
      </body>
    </html>
  );
}
