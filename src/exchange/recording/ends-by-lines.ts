/** Tells by lines and margins where an element of a JSON list ends. */

const [COMMA, CLOSE_OBJECT] = [0x2c, 0x7d];
const [LINE_END, RETURN] = [0x0a, 0x0d];

/** Asked in their order: where an element that begins there ends, if the lines tell; else -1. */
export function endsByLines(buffer: Buffer): (from: number) => number {
  let lineEnd = 0;
  /** The one before goes on behind the buffer: whoever looks for the end of each would do so again and again. */
  let isBehind = false;
  return (from) => {
    if (lineEnd >= 0 && lineEnd <= from) lineEnd = buffer.indexOf(LINE_END, from);
    if (lineEnd < 0 || isBehind) return -1;
    let last = buffer[lineEnd - 1] === RETURN ? lineEnd - 2 : lineEnd - 1;
    if (last > from) {
      if (buffer[last] === COMMA) last--;
      return buffer[last] === CLOSE_OBJECT ? last : -1;
    }
    const before = buffer.lastIndexOf(LINE_END, from);
    if (before < 0) return -1;
    const close = `${buffer.toString('latin1', before, from)}}`;
    const end = buffer.indexOf(close, from, 'latin1');
    isBehind = end < 0;
    return isBehind ? -1 : end + close.length - 1;
  };
}
