/** Something that is asked of the API when a part of the page needs it, and again when it is told to. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from './api.js';

export interface Asked<T> {
  /** What was answered last; undefined: nothing yet. */
  readonly value: T | undefined;
  readonly problem: string | null;
  readonly again: () => void;
}

/** `key`: another one asks anew. */
export function useAsked<T>(key: string, ask: () => Promise<T>): Asked<T> {
  const [state, setState] = useState<{ key: string; value?: T; problem: string | null }>({
    key,
    problem: null,
  });
  const latest = useRef(0);
  const again = useCallback(() => {
    latest.current += 1;
    const mine = latest.current;
    const isLatest = () => mine === latest.current;
    ask().then(
      (value) => isLatest() && setState({ key, value, problem: null }),
      (error) => isLatest() && setState({ key, problem: messageOf(error) }),
    );
  }, [key]);
  useEffect(() => {
    again();
    return () => {
      latest.current += 1;
    };
  }, [key]);
  return { value: state.key === key ? state.value : undefined, problem: state.problem, again };
}
