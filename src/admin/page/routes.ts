/** The live page: one document for every address of the page, its program and its style sheet. Strict headers, nothing loaded from elsewhere. */
import type { FastifyInstance } from 'fastify';
import { addPageFiles, pageFiles } from './files.js';
import type { PageAbout } from './port.js';

/** Every view has an address of its own; the page's program shows the view that its address names. */
const ADDRESSES = [
  '/',
  '/exchanges',
  '/exchanges/:id',
  '/bank',
  '/rules',
  '/certificates',
  '/sessions',
  '/settings',
  '/report',
] as const;

/** The page writes what it shows as text: no string becomes markup or script. */
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
    "script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'",
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
} as const;

export function addPageRoutes(server: FastifyInstance, folder: string, about: () => PageAbout): void {
  const files = pageFiles(folder);
  addPageFiles(server, files);
  for (const path of ADDRESSES)
    server.get(path, async (_request, reply) => {
      if ((await files()) === null)
        return reply.code(503).send({ error: 'The live page was not built. Run `npm run build`.' });
      return reply.headers(HEADERS).send(documentOf(about()));
    });
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;' };

function documentOf(about: PageAbout): string {
  const told = JSON.stringify(about).replace(/[&"<]/g, (sign) => ESCAPES[sign] ?? sign);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Sandgate</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page/main.css">
<script type="module" src="/page/main.js"></script>
</head>
<body data-about="${told}">
<noscript>
<h1>Sandgate</h1>
<p>This page needs JavaScript. Without it, <code>sandgate sessions show</code> lists the exchanges in a terminal, and the <a href="/api/openapi.json">admin API</a> offers the same data.</p>
</noscript>
</body>
</html>
`;
}
