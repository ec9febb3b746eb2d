/** Cells of pages: transactions come in pages, and pages lead astray. */
import { at, type Cell, cells } from './cell.js';

const TRANSACTIONS = 'operation:accounts.transactions';
const PAGE_TWO = `${TRANSACTIONS} text:"&page=1"`;

// biome-ignore format: one cell per line
export const PAGING_CELLS: readonly Cell[] = [
  ...cells(
    {
      family: 'paging',
      seen: 'a finance application that imported one page fifty times, until somebody saw the balance',
      sound:
        'It keeps the addresses of pages it has read, and the ids of postings; a page that comes again ends the sync, keeps what was there before, and it tries later.',
      calm: ['link'],
      storm: ['clock 1d', 'sync'],
      after: ['clock 1d', 'sync'],
      needs: ['belief'],
    },
    {
      'same-page': { happens: 'The next page leads to itself.', weather: [at(TRANSACTIONS, 'paging/same-page')] },
      'same-page-at-first': { happens: 'The next page leads to itself in the first import.', calm: [], weather: [at(TRANSACTIONS, 'paging/same-page')], storm: ['link'], after: ['link', 'sync'] },
    },
  ),
  ...cells(
    {
      family: 'paging',
      seen: 'banks whose pages are of a moment: 422 on page two, pages without postings, and lists that end too early',
      sound: 'It takes over all pages or none: what it read before stays until a whole list was read.',
      calm: ['link'],
      storm: ['clock 1d', 'sync'],
      after: ['clock 1d', 'sync'],
      needs: ['belief'],
    },
    {
      'moving-window': { happens: 'From page two on the bank answers 422: the window has moved.', weather: [at(TRANSACTIONS, 'paging/moving-window')] },
      'empty-last-page': { happens: 'There is one page more, and nothing is on it.', weather: [at(TRANSACTIONS, 'paging/empty-last-page')], must: true },
      'no-next': { happens: 'The link to the next page is missing: only a part can be read.', weather: [at(TRANSACTIONS, 'paging/no-next')], blind: true },
      'page-two-500': { happens: 'Page two is answered 500.', weather: [at(PAGE_TWO, 'answer/status', { status: 500 })] },
      'page-two-cut': { happens: 'Page two is cut off in the middle.', weather: [at(PAGE_TWO, 'transport/cut', { at: 'body' })] },
      'page-two-429': { happens: 'Page two is answered 429.', weather: [at(PAGE_TWO, 'answer/status', { status: 429 })] },
      'page-two-expired': { happens: 'Page two is answered 401: the token has ended between the pages.', weather: [at(PAGE_TWO, 'answer/status', { status: 401 }, { count: 1 })] },
    },
  ),
];
