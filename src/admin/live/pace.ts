/** Whether more comes than can be followed one by one. */

export interface Pace {
  /** So many came. True: more come than is followed. */
  readonly add: (count: number) => boolean;
  readonly isOver: () => boolean;
  /** A second: of the last whole one, or of this one if it has more already. */
  readonly rate: () => number;
}

const SECOND_MS = 1_000;
/** What is near the limit does not go to and fro: it is over until so much less comes. */
const QUIETER = 0.75;

/** `most`: a second; more is too much at once, and until a whole second has less. `stopwatch`: in ms. */
export function createPace(most: number, stopwatch: () => number): Pace {
  let begun = stopwatch();
  let [count, last, over] = [0, 0, false];

  const look = (): void => {
    const past = stopwatch() - begun;
    if (past < SECOND_MS) return;
    last = (count * SECOND_MS) / past;
    over &&= last > most * QUIETER;
    begun += past;
    count = 0;
  };
  return {
    add: (more) => {
      look();
      count += more;
      over ||= count > most;
      return over;
    },
    isOver: () => {
      look();
      return over;
    },
    rate: () => Math.round(Math.max(last, count)),
  };
}
