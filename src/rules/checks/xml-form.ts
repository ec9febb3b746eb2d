/** Whether a text is XML, as far as its tags tell: one root, and each element closed in its order. Nothing in it is expanded. */

const MOST_DEPTH = 200;
/** Markup without tags, by its beginning, and how it ends. */
const OTHERS = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;
const TAG = /<(\/?)([A-Za-z_][\w.:-]*)(?:\s+[A-Za-z_][\w.:-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*(\/?)>/y;

const BESIDE_ROOT = 'it has text beside its root';
const isBlank = (text: string): boolean => /^[\ufeff\s]*$/.test(text);

/** The first fault in a few words; null: there is none. */
export function xmlFault(text: string): string | null {
  const open: string[] = [];
  let roots = 0;
  let at = 0;
  for (;;) {
    const start = text.indexOf('<', at);
    const between = text.slice(at, start < 0 ? undefined : start);
    if (open.length === 0 && !isBlank(between)) return BESIDE_ROOT;
    if (start < 0) break;
    const other = OTHERS.find(([begin]) => text.startsWith(begin, start));
    if (other !== undefined) {
      const end = text.indexOf(other[1], start + other[0].length);
      if (end < 0) return `${other[0]} at character ${start + 1} is not closed`;
      at = end + other[1].length;
      continue;
    }
    TAG.lastIndex = start;
    const tag = TAG.exec(text);
    if (tag === null) return `there is no tag at character ${start + 1}`;
    at = TAG.lastIndex;
    const [, closing, name = '', empty] = tag;
    if (closing === '/') {
      if (open.pop() !== name) return `</${name.slice(0, 40)}> at character ${start + 1} closes nothing`;
      continue;
    }
    if (open.length === 0 && ++roots > 1) return 'it has several roots';
    if (empty === '') open.push(name);
    if (open.length > MOST_DEPTH) return `it is nested more than ${MOST_DEPTH} deep`;
  }
  if (roots === 0) return 'it has no element';
  return open.length === 0 ? null : `<${open.at(-1)?.slice(0, 40)}> is not closed`;
}
