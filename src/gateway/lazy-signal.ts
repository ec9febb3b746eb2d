/** An abort signal that is created only when it is asked for. */

export interface LazySignal {
  readonly signal: () => AbortSignal;
  readonly abort: () => void;
}

/** A signal costs more than all else of a call's opening, and most calls are answered before anybody asks for it. */
export function lazySignal(): LazySignal {
  let controller: AbortController | undefined;
  let aborted = false;
  return {
    signal: () => {
      controller ??= new AbortController();
      if (aborted) controller.abort();
      return controller.signal;
    },
    abort: () => {
      aborted = true;
      controller?.abort();
    },
  };
}
