/** The parts of a whole report that tell what was done, and how the bank was reached. */
import type { Report } from '../../src/report/index.js';
import { TPP } from '../builders.js';

const NONE = {
  success: 0,
  refusedByPsu: 0,
  timeout: 0,
  wrongCredentials: 0,
  bankError: 0,
  refused: 0,
  injected: 0,
  open: 0,
};
const ALONE = { ...NONE, refusedByPsu: null, timeout: null, wrongCredentials: null };

export const EXERCISED: Report['exercised'] = {
  rows: [
    {
      key: 'link-implicit',
      label: 'Link accounts, implicit',
      done: 2,
      outcomes: { ...NONE, success: 1, timeout: 1 },
    },
    { key: 'link-explicit', label: 'Link accounts, explicit', done: 0, outcomes: NONE },
    { key: 'read-balances', label: 'Read balances', done: 5, outcomes: { ...ALONE, success: 4, refused: 1 } },
  ],
};

export const ACCESS: Report['access'] = [
  {
    tpp: TPP,
    kind: 'all-accounts',
    label: 'All accounts',
    consents: 1,
    askedFor: ['accounts', 'balances', 'transactions'],
    neverUsed: [{ right: 'transactions', consents: 1 }],
    omitted: 0,
  },
];

const FIGURES = {
  calls: 10,
  technical: 5,
  business: 1,
  mistakes: 0,
  unavailable: { periods: 1, atLeastMs: 2_820_000, atMostMs: 3_060_000 },
  longestGapMs: 720_000,
  firstByte: { count: 0, averageMs: null, p95Ms: null },
  lastByte: { count: 5, averageMs: 41.5, p95Ms: 120 },
};

export const AVAILABILITY: Report['availability'] = {
  zone: 'Europe/Brussels',
  note: 'As seen from here, of calls that a bank was asked for.',
  outside: {
    ...{ emulator: 0, replay: 0, refused: 1, injected: 0, unknown: 0 },
    ...{ noService: 0, pages: 0, callbacks: 0, connections: 0 },
  },
  services: [
    {
      service: 'AIS',
      total: FIGURES,
      days: [{ day: '2026-06-15', ...FIGURES }],
      omittedDays: 0,
      periods: [
        {
          from: '2026-06-15T09:02:00.000Z',
          to: '2026-06-15T09:49:00.000Z',
          lastGood: '2026-06-15T09:00:00.000Z',
          firstGood: '2026-06-15T09:51:00.000Z',
          calls: 5,
          presumed: true,
          atLeastMs: 2_820_000,
          atMostMs: 3_060_000,
        },
      ],
      omittedPeriods: 0,
    },
  ],
  published: {
    name: 'bank.csv',
    rows: [
      {
        published: { day: '2026-06-15', service: 'AIS', availability: 100, errorRate: 0.1, averageMs: 38 },
        seen: { availabilityFrom: 96.46, availabilityTo: 96.74, errorRate: 50, averageMs: 41.5 },
        differs: true,
      },
    ],
    notSeen: 2,
  },
};
