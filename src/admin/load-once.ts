/** Loads something when it is first needed, once. */

export function loadOnce<T>(load: () => Promise<T>) {
  let loading: Promise<T> | null = null;
  return {
    /** @throws what the load failed with; the next call loads again. */
    get: (): Promise<T> => {
      loading ??= load().catch((error: unknown) => {
        // Files of the program may be missing while another version takes their place.
        loading = null;
        throw error;
      });
      return loading;
    },
    /** null where nothing is loaded, or nothing could be. */
    peek: async (): Promise<T | null> => {
      try {
        return await loading;
      } catch {
        return null;
      }
    },
  };
}
