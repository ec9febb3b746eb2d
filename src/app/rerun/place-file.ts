/** Files of rerun that list places of answers: one a line, for review and git. */
import * as z from 'zod';
import { jsonPath, parseJsonText } from '../../exchange/index.js';
import { inPlainWords, SandgateError } from '../../spec/index.js';

export const MOST_PLACES = 10_000;
const MOST_TOLD = 3;

/** `fault`: the error for a file of another form. */
export function placeFile<Entry>(
  format: string,
  entry: z.ZodType<Entry>,
  fault: 'rerun.noise-file' | 'rerun.history-file',
) {
  const form = z.strictObject({
    format: z.literal(format),
    version: z.literal(1),
    places: z.array(entry).max(MOST_PLACES),
  });
  return {
    read: (text: string, file: string): readonly Entry[] => {
      const parsed = form.safeParse(parseJsonText(text, file), { error: inPlainWords });
      if (parsed.success) return parsed.data.places;
      const problems = parsed.error.issues.slice(0, MOST_TOLD).map(({ path, message }) => {
        const place = jsonPath(path);
        return place === '' ? message : `at ${place} ${message}`;
      });
      throw new SandgateError(fault, { file, problems: problems.join('; ') });
    },
    write: (places: readonly Entry[]): string => {
      const lines = places.map((place) => `    ${JSON.stringify(place)}`);
      const list = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n  ]`;
      return `{\n  "format": "${format}",\n  "version": 1,\n  "places": ${list}\n}\n`;
    },
  };
}
