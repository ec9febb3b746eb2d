/** Renders the JSON Schema of reports as the formatter of the repository would. */
import { reportJsonSchema } from '../src/report/index.js';

const LINE = 110;
/** A list of texts and numbers, over several lines. */
const SIMPLE_LIST = /^( *)(.*)\[\n((?: *(?:"(?:[^"\\]|\\.)*"|[\w.-]+),?\n)+) *\](,?)$/gm;

export function reportSchemaDoc(): string {
  const text = JSON.stringify(reportJsonSchema(), null, 2);
  const short = text.replace(
    SIMPLE_LIST,
    (whole, indent: string, key: string, items: string, comma: string) => {
      const list = items
        .trim()
        .split(/\s*\n\s*/)
        .join(' ');
      const line = `${indent}${key}[${list}]${comma}`;
      return line.length <= LINE ? line : whole;
    },
  );
  return `${short}\n`;
}
