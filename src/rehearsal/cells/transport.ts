/** Cells of transport: slow, cut, reset and refused, while the PSU waits and while nobody does. */
import { at, type Cell, cells, type Step, type Weather } from './cell.js';

const ALL = 'listener:api';

const KINDS: Readonly<
  Record<string, { readonly what: string; readonly weather: Weather; readonly must?: true }>
> = {
  delay: {
    what: 'Each answer comes a third of a second late.',
    weather: at(ALL, 'transport/delay', { ms: 300 }),
    must: true,
  },
  hang: { what: 'No call is answered.', weather: at(ALL, 'transport/hang') },
  'cut-before': {
    what: 'The connection ends before the head of each answer.',
    weather: at(ALL, 'transport/cut', { at: 'before' }),
  },
  'cut-in-body': {
    what: 'The connection ends in the body of each answer.',
    weather: at(ALL, 'transport/cut', { at: 'body' }),
  },
  reset: { what: 'Each connection is reset.', weather: at(ALL, 'transport/reset') },
  'slow-body': {
    what: 'Bodies come a few bytes at a time.',
    weather: at(ALL, 'transport/slow-body', { bytes: 400 }),
  },
  'status-500': {
    what: 'All is answered 500 without a body.',
    weather: at(ALL, 'answer/status', { status: 500, form: 'empty' }),
  },
  'status-502-html': {
    what: 'All is answered 502 with a page of a proxy.',
    weather: at(ALL, 'answer/status', { status: 502, form: 'html' }),
  },
  'status-503': {
    what: 'All is answered 503 with Retry-After.',
    weather: at(ALL, 'answer/status', { status: 503, retryAfter: 120 }),
  },
  maintenance: {
    what: 'The bank shows its page of maintenance to all.',
    weather: at(ALL, 'answer/maintenance'),
  },
};

const rowsOf = (
  action: 'link' | 'sync',
  calm: readonly Step[],
  storm: readonly Step[],
  after: readonly Step[],
) =>
  Object.fromEntries(
    Object.entries(KINDS).map(([name, { what, weather, must }]) => [
      `${action}-${name}`,
      { happens: what, weather: [weather], calm, storm, after, ...(must && { must }) },
    ]),
  );

const GROUP = {
  family: 'transport',
  seen: 'status pages of banks: maintenance on Sunday nights, proxies in front that answer in HTML, and connections that nobody ends',
} as const;

export const TRANSPORT_CELLS: readonly Cell[] = [
  ...cells(
    {
      ...GROUP,
      sound:
        'It gives each call a time, tells the PSU that the bank cannot be reached, and lets it try again.',
    },
    rowsOf('link', [], ['link'], ['link', 'sync']),
  ),
  ...cells(
    {
      ...GROUP,
      sound:
        'It gives each call a time, tries again with growing pauses and an end, keeps what it has, and says how old that is.',
    },
    rowsOf('sync', ['link'], ['clock 1d', 'sync'], ['clock 1d', 'sync']),
  ),
];
