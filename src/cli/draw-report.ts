/** Builds a report from its source, with progress on a terminal; stops on a signal. */
import type { OpenedSource } from '../app/report/index.js';
import { openReport, type Report, type ReportOptions } from '../report/index.js';
import type { CliContext } from './context.js';
import { createProgress } from './progress.js';

export async function drawReport(
  { source, expected }: OpenedSource,
  options: ReportOptions,
  context: CliContext,
): Promise<Report> {
  const progress = createProgress('Reading the recording', expected, context);
  const builder = openReport(source, options);
  let taken = 0;
  try {
    for (const record of source.records) {
      builder.take(record);
      const pause = progress.step(++taken);
      if (pause !== undefined) await pause;
    }
    return builder.close();
  } finally {
    progress.end();
  }
}
