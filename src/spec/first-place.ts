/**
 * The first place of an ordered list of so many entries from which on `holds` is true; `count` where it is nowhere. In front
 * of that place it is false.
 */
export function firstPlace(count: number, holds: (place: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
