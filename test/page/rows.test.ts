/** The list of calls of the live page: how much of it is held, and that what is looked at stays where it is. */
import { describe, expect, it } from 'vitest';
import type { ExchangeList, Summary } from '../../src/admin/index.js';
import { createRows, type Rows } from '../../src/page/state/rows.js';
import { missedSince } from '../../src/page/state/stream.js';

const call = (n: number): Summary => ({ id: String(n).padStart(7, '0') }) as Summary;
const fail = (error: unknown): never => {
  throw error;
};
const idAt = (rows: Rows, index: number) => Number(rows.at(index)?.id);

/** A session whose newest call has the number `newest`, and whose oldest has 1. */
function session(newest: number) {
  const asked: (string | undefined)[] = [];
  const fetchPage = async (before: string | undefined, limit: number): Promise<ExchangeList> => {
    asked.push(before);
    const from = before === undefined ? newest : Number(before) - 1;
    const count = Math.min(limit, from);
    const exchanges = Array.from({ length: count }, (_, i) => call(from - i));
    return {
      exchanges,
      examined: count,
      indexedUpTo: null,
      behind: null,
      next: count === from ? null : call(from - count + 1).id,
    };
  };
  let change = (): void => {};
  const rows = createRows(fetchPage, () => change(), fail);
  const onChange = (run: () => void): void => {
    change = run;
  };
  const settled = async () => {
    do await new Promise((resolve) => setImmediate(resolve));
    while (rows.isSearching());
  };
  return { rows, asked, settled, onChange };
}

describe('the list of calls', () => {
  it('holds some thousands, however far one goes, and has all of them again on the way back', async () => {
    const { rows, settled } = session(20_000);
    await rows.begin();
    for (let at = 0; at < 20_000; at += 250) {
      rows.see(at, at + 40);
      await settled();
      expect(rows.held()).toBeLessThanOrEqual(6_500);
    }
    expect([rows.length(), rows.isWhole(), idAt(rows, 19_999)]).toEqual([20_000, true, 1]);
    for (let at = 19_900; at >= 0; at -= 250) {
      rows.see(at, at + 40);
      await settled();
      expect(idAt(rows, at)).toBe(20_000 - at);
    }
  });

  it('has the oldest again where one looks beyond them', async () => {
    const { rows, settled } = session(20_000);
    await rows.toEnd();
    for (let at = 0; at < 10_000; at += 250) {
      rows.see(at, at + 40);
      await settled();
    }
    expect(rows.at(19_999)).toBeUndefined();
    rows.see(19_990, 20_040);
    await settled();
    expect(idAt(rows, 19_999)).toBe(1);
  });

  it('goes to the oldest, too, while a page is being fetched', async () => {
    const { rows } = session(2_000);
    await rows.begin();
    rows.see(450, 490);
    expect(rows.isSearching()).toBe(true);
    await rows.toEnd();
    expect([rows.isWhole(), rows.length()]).toEqual([true, 2_000]);
  });

  it('shows new ones above, or has them wait while something is read', async () => {
    const { rows } = session(100);
    await rows.begin();
    rows.add([call(101), call(102)], false);
    expect([rows.length(), idAt(rows, 0)]).toEqual([102, 102]);
    rows.add([call(103), call(104)], true);
    expect([rows.length(), rows.waiting(), idAt(rows, 0), rows.indexOf(call(102).id)]).toEqual([
      102, 2, 102, 0,
    ]);
    rows.reveal(1);
    expect([rows.waiting(), idAt(rows, 0)]).toEqual([1, 103]);
    rows.reveal();
    expect([rows.waiting(), idAt(rows, 0)]).toEqual([0, 104]);
  });

  it('stays bounded while thousands a second come in, and takes none twice', async () => {
    const { rows, settled } = session(10);
    await rows.begin();
    for (let n = 11; n < 30_011; n += 100) {
      const fresh = Array.from({ length: 100 }, (_, i) => call(n + i));
      rows.add(fresh, n > 15_000);
      rows.add(fresh.slice(-10), n > 15_000);
      rows.see(0, 40);
      await settled();
    }
    expect(rows.held()).toBeLessThanOrEqual(6_500);
    expect([rows.length() + rows.waiting(), rows.newest()]).toEqual([30_010, call(30_010).id]);
  });

  it('takes none twice that is told again behind the beginning of a block', async () => {
    const { rows } = session(500);
    await rows.begin();
    rows.add([call(501)], false);
    expect(rows.add([call(498), call(499), call(500), call(501), call(502)], false)).toEqual([call(502)]);
    expect([rows.length(), idAt(rows, 0), idAt(rows, 1), idAt(rows, 2)]).toEqual([502, 502, 501, 500]);
  });

  it('goes to the oldest while a search goes on, and another one begins', async () => {
    const { rows, onChange } = session(20_000);
    onChange(() => rows.see(rows.length() - 40, rows.length()));
    void rows.begin();
    await rows.toEnd();
    expect([rows.isWhole(), idAt(rows, rows.length() - 1)]).toEqual([true, 1]);
  });

  it('is settled no sooner than its first page is there, even if that fails at first', async () => {
    let fails = true;
    const page = { exchanges: [call(1)], examined: 1, indexedUpTo: null, behind: null, next: null };
    const rows = createRows(
      async () => (fails ? fail(new Error('The gateway is away.')) : page),
      () => {},
      fail,
    );
    const lengths: number[] = [];
    const begun = rows.begin();
    void rows.settled().then(() => lengths.push(rows.length()));
    await expect(begun).rejects.toThrow('away');
    fails = false;
    await rows.begin();
    await rows.settled();
    expect(lengths).toEqual([1]);
  });

  it('searches on by itself only so far where little fits', async () => {
    let asked = 0;
    const fetchPage = async (before: string | undefined): Promise<ExchangeList> => {
      asked++;
      return { exchanges: [], examined: 5_000, indexedUpTo: null, behind: null, next: `${before}x` };
    };
    const rows = createRows(fetchPage, () => {}, fail);
    await rows.begin();
    expect([asked, rows.examined(), rows.isWhole()]).toEqual([20, 100_000, false]);
  });
});

describe('what was missed', () => {
  const page = (next: string | null, ...exchanges: Summary[]): ExchangeList => ({
    ...{ exchanges, examined: 5_000, indexedUpTo: null, behind: null, next },
  });

  it('is not too much where nothing was known, however far the pages of nothing go', async () => {
    let asked = 0;
    const missed = await missedSince(async () => {
      asked++;
      return page('further back');
    }, undefined);
    expect([missed, asked]).toEqual([[], 1]);
  });

  it('is told in the order of recording, up to what was known; what lies further back is too much', async () => {
    const known = call(3);
    const missed = await missedSince(async () => page(null, call(5), call(4), known, call(2)), known.id);
    expect(missed?.map(([, text]) => JSON.parse(text))).toEqual([call(4), call(5)]);
    expect(await missedSince(async () => page('x', call(9)), known.id)).toBeNull();
  });
});
