/** The address of the page says what it shows: view, session, filter, and the exchange that is open. */
import { signal } from '@preact/signals';
import { withQuery } from './api.js';

export const VIEWS = {
  calls: { path: '/', name: 'Calls' },
  bank: { path: '/bank', name: 'Bank' },
  rules: { path: '/rules', name: 'Rules' },
  certificates: { path: '/certificates', name: 'Certificates' },
  sessions: { path: '/sessions', name: 'Sessions' },
  settings: { path: '/settings', name: 'Settings' },
  report: { path: '/report', name: 'Report' },
} as const;
export type View = keyof typeof VIEWS;
export const VIEW_NAMES = Object.keys(VIEWS) as View[];

interface Address {
  /** `exchange`: one exchange on a page of its own. */
  readonly view: View | 'exchange';
  readonly open: string | null;
  /** The journey that is open; a call that is open stands before it. */
  readonly journey: string | null;
  readonly q: string;
  /** A range of time, by the clock of the machine; null: all. */
  readonly from: string | null;
  readonly to: string | null;
  /** null: that of calls that name none. */
  readonly session: string | null;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ONE = /^\/exchanges\/([^/]+)$/;

function read({ pathname, search }: { readonly pathname: string; readonly search: string }): Address | null {
  const query = new URLSearchParams(search);
  const timeOf = (name: string) => TIME.exec(query.get(name) ?? '')?.[0] ?? null;
  const rest = {
    from: timeOf('from'),
    to: timeOf('to'),
    q: query.get('q') ?? '',
    session: query.get('session'),
    journey: query.get('journey'),
  };
  const [, id] = ONE.exec(pathname) ?? [];
  if (id !== undefined) return { view: 'exchange', open: decodeURIComponent(id), ...rest };
  if (pathname === '/exchanges') return { view: 'calls', open: query.get('open'), ...rest };
  const found = VIEW_NAMES.find((view) => VIEWS[view].path === pathname);
  return found === undefined ? null : { view: found, open: query.get('open'), ...rest };
}

function hrefOf({ view, open, q, session, journey, from, to }: Address): string {
  if (view === 'exchange')
    return withQuery(`/exchanges/${encodeURIComponent(open ?? '')}`, { session, q, from, to });
  if (view !== 'calls') return withQuery(VIEWS[view].path, { session, open });
  return withQuery('/', { session, q, from, to, journey, open });
}

export const address = signal<Address>(
  read(location) ?? { view: 'calls', open: null, journey: null, q: '', from: null, to: null, session: null },
);

export const hrefWith = (part: Partial<Address>): string => hrefOf({ ...address.value, ...part });

/** `quietly`: going back does not come by here again. */
export function go(part: Partial<Address>, quietly = false): void {
  const href = hrefWith(part);
  if (quietly) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  address.value = { ...address.value, ...part };
}

/** Links within the page are followed without loading it again; those that a modifier key opens elsewhere are not. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    address.value = read(location) ?? address.value;
  });
  addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || link.target !== '' || link.hasAttribute('download') || event.defaultPrevented)
      return;
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.origin !== location.origin || link.hash !== '') return;
    const there = read(link);
    if (there === null) return;
    event.preventDefault();
    history.pushState(null, '', link.href);
    address.value = there;
  });
}
