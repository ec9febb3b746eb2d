/** The frame of a page: its policy, style, script and list of contents. */
import { hash } from 'node:crypto';
import type { ComponentChildren } from 'preact';
import { SCRIPT } from './script.js';
import { REPORT_STYLE } from './style.js';
import { visible } from './text.js';

const hashOf = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`;

/** Nothing may be fetched, and nothing may run but what was written here. */
const POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(REPORT_STYLE)}`,
  `script-src ${hashOf(SCRIPT)}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** A page without icon would have the browser ask for one. */
const ICON = 'data:,';

interface DocumentParts {
  readonly title: string;
  /** The file of the statement that signs the page. */
  readonly statement?: string | null;
  /** The text of the link that leads over the list of contents. */
  readonly skip: string;
  readonly children: ComponentChildren;
}

export function Document({ title, statement = null, skip, children }: DocumentParts) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={POLICY} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <meta name="robots" content="noindex" />
        {statement === null ? null : <meta name="sandgate-statement" content={statement} />}
        <title>{visible(title)}</title>
        <link rel="icon" href={ICON} />
        {/* Unescaped, because it is a constant of ours. */}
        <style dangerouslySetInnerHTML={{ __html: REPORT_STYLE }} />
      </head>
      <body>
        <a class="skip" href="#main">
          {skip}
        </a>
        {children}
        {/* Unescaped, because it is a constant of ours. */}
        <script dangerouslySetInnerHTML={{ __html: SCRIPT }} />
      </body>
    </html>
  );
}

/** `id` of a section, its title, and a number behind it. */
export type ContentsEntry = readonly [id: string, title: string, count: string | null];

export function Contents({ entries }: { entries: readonly ContentsEntry[] }) {
  return (
    <nav aria-label="Contents">
      <ol>
        {entries.map(([id, title, count]) => (
          <li key={id}>
            <a href={`#${id}`}>
              {title}
              {count === null ? null : <span class="num"> {count}</span>}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
