/** Feeds metrics from what is recorded, so that they cost nothing on the way of a call. */
import { createMetrics, type Metrics } from '../../admin/index.js';
import type { Recording } from './recording.js';

export interface Metered {
  readonly recording: Recording;
  readonly metrics: Metrics;
}

export function meterRecording(
  recording: Recording,
  ofOthers?: () => Promise<readonly (readonly object[])[]>,
): Metered {
  const { recorder } = recording;
  const metrics = createMetrics({
    waiting: recorder.waiting,
    isRecording: () => recorder.problem() === null,
    diskFree: recording.room.free,
    ofOthers,
  });
  return {
    metrics,
    recording: {
      ...recording,
      recorder: {
        ...recorder,
        take: (exchange, judged, changes, onLost, resting) => {
          const kept = recorder.take(exchange, judged, changes, onLost, resting);
          if (resting === undefined) metrics.observe(exchange, judged.findings);
          else
            kept.then(
              () => metrics.observe(exchange, judged.findings),
              () => {},
            );
          return kept;
        },
      },
    },
  };
}
