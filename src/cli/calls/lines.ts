/** Writes lines behind the way of calls: one write a turn, and none for a reader that is behind. */
import type { Writable } from 'node:stream';

export interface LinesParts {
  readonly stream: Writable;
  /** In characters: lines of a reader that is so far behind are dropped. */
  readonly most: number;
  /** The line that tells how many were dropped. */
  readonly dropped: (count: number) => string;
}

export interface Lines {
  /** Made only where it can be written. */
  readonly take: (line: () => string) => void;
  /** So many could not even be taken. */
  readonly lose: (count: number) => void;
  /** Hands on what is left. */
  readonly end: () => void;
}

export function createLines({ stream, most, dropped }: LinesParts): Lines {
  let text = '';
  let missing = 0;
  let isDue = false;

  const flush = (): void => {
    isDue = false;
    if (stream.destroyed) return;
    if (missing > 0 && stream.writableLength < most) {
      text += dropped(missing);
      missing = 0;
    }
    if (text !== '') stream.write(text);
    text = '';
  };
  const plan = (): void => {
    if (isDue) return;
    isDue = true;
    setImmediate(flush);
  };
  stream.on('drain', plan);

  return {
    take: (line) => {
      if (stream.writableLength + text.length > most) missing += 1;
      else {
        text += line();
        plan();
      }
    },
    lose: (count) => {
      missing += count;
      plan();
    },
    end: () => {
      stream.off('drain', plan);
      flush();
    },
  };
}
