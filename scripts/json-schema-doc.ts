/** Renders the JSON Schemas of reports and bank profiles as the formatter of the repository would. */
import * as z from 'zod';
import { reportJsonSchema } from '../src/report/index.js';
import { bankProfile } from '../src/spec/index.js';

const LINE = 110;
/** A list of texts and numbers, over several lines. */
const SIMPLE_LIST = /^( *)(.*)\[\n((?: *(?:"(?:[^"\\]|\\.)*"|[\w.-]+),?\n)+) *\](,?)$/gm;

export const reportSchemaDoc = (): string => schemaText(reportJsonSchema());
export const bankProfileSchemaDoc = (): string => schemaText(z.toJSONSchema(bankProfile));

function schemaText(schema: unknown): string {
  const text = JSON.stringify(schema, null, 2);
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
