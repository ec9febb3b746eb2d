import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { type Kind, testFiles } from './test/kinds.js';
import { LongestFirst } from './test/order.js';

const source = (file: string) => fileURLToPath(new URL(`src/testing/${file}`, import.meta.url));
const files = testFiles();
const project = (
  name: Kind,
  more: { readonly globalSetup?: string | string[]; readonly setupFiles?: string } = {},
) => ({
  extends: true as const,
  test: { name, include: [...files[name]], ...more },
});

export default defineConfig({
  resolve: {
    alias: [
      // The examples import the package as its users do; here that is the source, so that a failure points into it.
      { find: /^sandgate\/testing$/, replacement: source('index.ts') },
      { find: /^sandgate\/testing\/vitest$/, replacement: source('vitest.ts') },
    ],
  },
  test: {
    projects: [
      project('fast', { setupFiles: 'test/fast-only.ts' }),
      project('whole'),
      project('postgres', { globalSetup: 'test/postgres/setup.ts' }),
      project('built', { globalSetup: ['test/postgres/setup.ts', 'test/build.ts'] }),
    ],
    sequence: { sequencer: LongestFirst },
    // Loading the modules anew for each file took a third of the time.
    isolate: false,
    // Sources that did not change are not transformed again (node_modules/.experimental-vitest-cache).
    experimental: { fsModuleCache: true },
    // Tests make much that is soon of no use: with V8's own young space, a twenty-fifth more of the processor goes into it.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
    // Only what hangs is ended: a machine that has much else to do takes ten times as long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 100_000, interval: 20 } },
    // On two cores: a fifth of the time a worker waits for time limits and other processes.
    maxWorkers: 3,
    // As many as test/testing/parallel.test.ts opens side by side.
    maxConcurrency: 20,
  },
});
