/** What reads a store, over one whose values all come later: the tests of the commands and of the gateway once more. */
import { vi } from 'vitest';
import '../cli/report.test.js';
import '../cli/rerun.test.js';
import '../cli/session-files.test.js';
import '../cli/sessions.test.js';
import '../cli/verify.test.js';
import '../e2e/isolation.test.js';
import '../e2e/replay.test.js';

vi.mock('../../src/store/open.js', async (original) => {
  const { lateStore } = await import('./late-store.js');
  const open = await original<typeof import('../../src/store/open.js')>();
  return {
    ...open,
    openStore: async (...given) => lateStore(await open.openStore(...given)),
  } satisfies typeof open;
});
