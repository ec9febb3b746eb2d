/** What is loaded by whoever needs it first. */

interface Loaded<T> {
  /** @throws what the load failed with; the next one loads again. */
  readonly get: () => Promise<T>;
  /** null where nothing is loaded, or nothing could be. */
  readonly peek: () => Promise<T | null>;
}

export function loadOnce<T>(load: () => Promise<T>): Loaded<T> {
  let loading: Promise<T> | null = null;
  return {
    get: () => {
      loading ??= load().catch((error: unknown) => {
        // Files of the program may be missing while another version takes their place.
        loading = null;
        throw error;
      });
      return loading;
    },
    peek: async () => {
      try {
        return await loading;
      } catch {
        return null;
      }
    },
  };
}
