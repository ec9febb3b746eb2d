/** A rehearsal with one cell of each verdict, for what is rendered of it. */
import { CELLS } from '../../src/rehearsal/cells/index.js';
import { type CellResult, type Rehearsal, VERDICTS, type Verdict } from '../../src/rehearsal/result.js';

const HOSTILE = '<script>alert(1)</script> & "quoted"';

const call = (nth: number, injected = '') =>
  ({
    id: `6H2K0A1B3C${nth}`,
    from: nth % 5 === 0 ? 'psu' : nth % 7 === 0 ? 'bank' : 'application',
    call: `GET /stdgroup/v1/accounts/sg-1/transactions?page=${nth}`,
    status: nth === 3 ? null : 200,
    injected,
  }) as const;

function cellOf(verdict: Verdict, place: number): CellResult {
  const { id, family } = CELLS[place * 20] as (typeof CELLS)[number];
  const ran = verdict !== 'not-run';
  return {
    ...{ id, family, verdict, ms: 1_234 },
    why: `what ${HOSTILE} there was`,
    calls: ran ? Array.from({ length: 60 }, (_, nth) => call(nth, nth === 58 ? 'paging/same-page' : '')) : [],
    saw: ran ? [{ action: 'sync', end: 'done', url: 'http://localhost:3000/sync?x=1', text: HOSTILE }] : [],
    differences: verdict === 'silently-wrong' ? [{ of: 'transactions', believed: '62', booked: '31' }] : [],
  };
}

export const aRehearsal = (verdicts: readonly Verdict[] = VERDICTS): Rehearsal => ({
  plan: 'plan.json',
  seed: 7,
  at: Date.UTC(2026, 10, 23, 9),
  ms: 112_000,
  session: '2026-11-23',
  cells: verdicts.map(cellOf),
});
