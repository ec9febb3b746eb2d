/** Pages for the PSU's browser: one layout, no script, nothing loaded from elsewhere, strict headers. */
import { hash } from 'node:crypto';
import type { Answer, AnswerSource, Call, HeaderList } from '../exchange/index.js';
import { isAbsoluteHttpUri } from '../spec/index.js';
import { type Html, html, htmlText, styleElement } from './html.js';
import { PAGE_STYLE } from './page-style.js';
import { openReply, textBody } from './render.js';

export interface Page {
  readonly title: string;
  readonly main: Html;
  readonly bank?: string;
}

const STYLE = styleElement(PAGE_STYLE);
const STYLE_HASH = hash('sha256', PAGE_STYLE, 'base64');

/**
 * The form of a page only ever leads back to the page's own address. The way to the TPP is a link: browsers apply
 * form-action to the redirects that follow a form, so a form could not lead there without naming every TPP.
 */
const PAGE_HEADERS: HeaderList = [
  [
    'Content-Security-Policy',
    `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  ],
  ['X-Frame-Options', 'DENY'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
];

function renderPage({ title, main, bank = 'Sandgate' }: Page): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} – ${bank}</title>
${STYLE}
</head>
<body>
<header><p class="bank">${bank}</p><p class="sandbox">Sandbox: no real account is touched</p></header>
<main>${main}</main>
</body>
</html>
`;
}

export function answerPage(
  call: Call,
  source: AnswerSource,
  status: number,
  page: Page,
  headers: HeaderList = [],
): Answer {
  return openReply(call, {
    source,
    status,
    rendered: {
      type: 'text/html; charset=utf-8',
      body: textBody(htmlText(renderPage(page))),
      content: { kind: 'opaque' },
    },
    headers: [...PAGE_HEADERS, ...headers],
  });
}

export interface ErrorPage extends Pick<Page, 'bank'> {
  readonly status: number;
  readonly title: string;
  readonly texts: readonly string[];
  /** Ways for the PSU to go on; absent if the TPP's address is unknown or unproven. */
  readonly ways?: {
    /** The redirect that tells the TPP that nothing was authorised, whole. */
    readonly back: string;
    /** The authorization request without what was wrong with it. */
    readonly again: string;
  };
}

export function answerErrorPage(
  call: Call,
  source: AnswerSource,
  { status, title, texts, ways, ...bank }: ErrorPage,
  headers: HeaderList = [],
): Answer {
  const on =
    ways === undefined
      ? html`<p>Nothing was authorised. Close this window and go back to the application that sent you here.</p>`
      : html`<p>Nothing was authorised.</p>
<p class="buttons"><a class="button" href="${ways.back}">Back to ${placeOf(ways.back)}</a>
<a class="button quiet" href="${ways.again}">Start again</a></p>`;
  const main = html`<h1>${title}</h1>
${texts.map((text) => html`<p class="notice bad">${text}</p>`)}
${on}`;
  return answerPage(call, source, status, { title, main, ...bank }, headers);
}

/** A frame calls the address of the return for the first time, the page itself for the second. No script is needed. */
export function answerReturnTwice(call: Call, source: AnswerSource, location: string): Answer {
  const page = answerPage(call, source, 200, {
    title: 'You are led back',
    main: html`<iframe src="${location}" title="Return to the application" width="1" height="1"></iframe>
<p><a href="${location}">Go on to the application</a></p>`,
  });
  const { origin, protocol } = new URL(location);
  const framed = `; frame-src ${origin === 'null' ? protocol : origin}`;
  const headers: HeaderList = page.headers.map(([name, value]) => [
    name,
    name === 'Content-Security-Policy' ? value + framed : value,
  ]);
  return page.with([...headers, ['Refresh', `1; url=${location}`]], page.body);
}

export function placeOf(uri: string): string {
  return isAbsoluteHttpUri(uri) ? new URL(uri).host : (uri.split(/[?#]/, 1)[0] ?? '');
}

export function spaced(iban: string): string {
  return iban.replace(/(.{4})(?=.)/g, '$1 ');
}
