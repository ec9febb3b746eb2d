/** Where the index of a store is. */

/** Beside its file. */
export const indexPath = (store: string): string => `${store}.index`;
