/** An application that trusts its bank’s pages: it notices that a page came again after it has imported it again. */
import { createOnce } from './application/payments.js';
import { serve } from './application/server.js';
import type { Posting } from './application/store.js';
import { type Page, postingsOf, type ReadPages } from './application/sync.js';

const readPages: ReadPages = async (first, read) => {
  const visited = new Set<string>();
  const found: Posting[] = [];
  for (let next: string | undefined = first; next !== undefined; ) {
    const page: Page = await read(next);
    found.push(...postingsOf(page));
    if (visited.has(next)) break;
    visited.add(next);
    next = page.transactions._links?.next?.href;
  }
  return found;
};

await serve({ readPages, createPayment: createOnce }, process.env);
