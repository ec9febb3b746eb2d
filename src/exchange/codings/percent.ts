/** Undoes percent-encoding. */

/** Once, `+` read as forms do. What is no UTF-8, or no escape, is read as far as it goes. */
export function decodePercent(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return decodeLoosely(text);
  }
}

function decodeLoosely(text: string): string {
  return new URLSearchParams(`v=${text.replaceAll('&', '%26')}`).get('v') ?? text;
}
