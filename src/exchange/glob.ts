/** Matches patterns in which `*` is any text, piece by piece, so that no pattern and no text can take long. */

/** Tells which texts fit the pattern, letter case and all. */
export function createGlob(pattern: string): (text: string) => boolean {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) return (text) => text === head;
  return (text) => {
    if (!text.startsWith(head)) return false;
    let at = head.length;
    for (const piece of rest) {
      const found = text.indexOf(piece, at);
      if (found < 0) return false;
      at = found + piece.length;
    }
    return text.length - tail.length >= at && text.endsWith(tail);
  };
}
