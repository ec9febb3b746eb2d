/** Draws a report out of its source. */
import { openReport, type Report, type ReportOptions } from '../../report/index.js';
import type { OpenedSource } from './source.js';

/** `pause` is told how many exchanges were taken, and may give others a turn. */
export async function drawReport(
  { source, records, breaks }: OpenedSource,
  options: ReportOptions,
  pause: (taken: number) => Promise<void> | undefined = () => undefined,
): Promise<Report> {
  const builder = openReport(source, options);
  let taken = 0;
  for await (const record of records) {
    builder.take(record);
    const paused = pause(++taken);
    if (paused !== undefined) await paused;
  }
  for await (const one of breaks()) builder.takeBreak(one);
  return builder.close();
}
