/** Which of the known names one that is not known is near to. */

/** The candidate with the smallest edit distance to the text. */
export function nearestOf(text: string, candidates: readonly string[]): string {
  return nearestBelow(Number.POSITIVE_INFINITY, text, candidates) ?? candidates[0] ?? '';
}

/** The candidate that a slip of the hand explains: one letter in three at most, or two. '' where there is none. */
export function slipOf(text: string, candidates: readonly string[]): string {
  return nearestBelow(Math.max(2, Math.floor(text.length / 3)) + 1, text, candidates) ?? '';
}

/** Whether two letters at most were missed, added or changed. */
export const isSlip = (typed: string, meant: string): boolean =>
  typed !== meant && editDistance(typed, meant, 3) < 3;

function nearestBelow(limit: number, text: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = limit;
  for (const candidate of candidates) {
    const distance = editDistance(text, candidate, bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Infinite where it is not below `limit`: most candidates are farther away than one before them, which is seen early. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return Number.POSITIVE_INFINITY;
  const row = Uint32Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const letter = a.charCodeAt(i - 1);
    let before = i - 1;
    let last = i;
    let least = i;
    row[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const above = row[j] as number;
      const change = before + (letter === b.charCodeAt(j - 1) ? 0 : 1);
      last = Math.min(change, above + 1, last + 1);
      row[j] = last;
      before = above;
      if (last < least) least = last;
    }
    if (least >= limit) return Number.POSITIVE_INFINITY;
  }
  return row[b.length] as number;
}
