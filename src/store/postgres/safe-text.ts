/** Texts of others in columns that are compared: PostgreSQL has no text with a zero in it, so that it stands there escaped. */

export const safeText = (text: string): string =>
  /[\0\\]/.test(text) ? text.replaceAll('\\', '\\\\').replaceAll('\0', '\\0') : text;

export const readSafe = (text: string): string =>
  text.includes('\\') ? text.replace(/\\([\\0])/g, (_, sign) => (sign === '0' ? '\0' : '\\')) : text;
