/** Beside its file. */
export const indexPath = (store: string): string => `${store}.index`;
