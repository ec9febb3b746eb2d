/** Says aloud what nobody asked for: new alerts, and what came of an action. */

import { hush, said } from '../state/said.js';
import { newestAlerts } from '../state/standing.js';

export function Announcer() {
  const [newest] = newestAlerts.value;
  const shown = said.value;
  return (
    <>
      <div class="hidden" aria-live="polite">
        {newest === undefined ? '' : `${newest.text} ${newest.remedy}`}
      </div>
      <div class="said" role="status">
        {shown === null ? null : (
          <p class={shown.isProblem ? 'problem' : ''}>
            {shown.text}{' '}
            <button type="button" class="icon" onClick={hush} aria-label="Close">
              ×
            </button>
          </p>
        )}
      </div>
    </>
  );
}
