/** What was recorded while nobody told it. */
import type { Summary } from '../../admin/index.js';
import type { FetchPage } from './rows.js';
import type { Batch } from './source.js';

/** So many pages of calls are looked through. */
const PAGES = 5;
const PAGE = 200;

/** As if it were told; null where that is too much. Of what is known nothing, it is the newest page, whatever lies behind. */
export async function missedSince(fetchPage: FetchPage, known: string | undefined): Promise<Batch> {
  const missed: Summary[] = [];
  const most = known === undefined ? 1 : PAGES;
  let before: string | null | undefined;
  for (let pages = 0; pages < most && before !== null; pages++) {
    const page = await fetchPage(before, PAGE);
    const found = page.exchanges.findIndex(({ id }) => id === known);
    missed.push(...page.exchanges.slice(0, found < 0 ? undefined : found));
    before = found < 0 ? page.next : null;
  }
  if (before !== null && known !== undefined) return null;
  return missed.reverse().map((one) => ['exchange', JSON.stringify(one)]);
}
