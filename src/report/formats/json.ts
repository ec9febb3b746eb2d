/** The report as JSON: the form that is signed and compared, so its bytes depend on the recording only. */
import type { Report } from '../model.js';

/** Members in the order of the schema, two spaces, a line end behind the last brace. */
export function renderJson(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
