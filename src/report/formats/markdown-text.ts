/** Recorded text in Markdown: as code, so that nothing in it is markup, a link or a mention. */

const LONGEST = 160;

/** One line of code, cut; backticks in it do not end it. */
export function code(text: string): string {
  const line = oneLine(text);
  const short = line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
  if (short === '') return '``';
  const longest = Math.max(0, ...(short.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  // A space keeps a backtick at the edge apart from the fence; one at each edge is taken away again.
  const space = longest > 0 || /^ .* $/.test(short) ? ' ' : '';
  return `${fence}${space}${short}${space}${fence}`;
}

/** Several lines of code; the fence is longer than any run of backticks in it. */
export function codeBlock(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  // A carriage return alone would end the line for some, and with it the fence.
  return `${fence}\n${text.replaceAll(/\r\n?/g, '\n').replaceAll(INVISIBLE, '\ufffd')}\n${fence}`;
}

/** Controls, and characters that turn the direction of what follows. */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll(INVISIBLE, '\ufffd').trim();

/** Text of ours or of the user's own settings, between words: markup in it is shown, not followed. */
export function plain(text: string): string {
  return oneLine(text)
    .replaceAll(/[\\`*_[\]<>|~#@!]/g, (sign) => `\\${sign}`)
    .replaceAll('\\@', '@\u200b')
    .replaceAll('://', ':\u200b//');
}
