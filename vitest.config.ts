import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { type Kind, testFiles } from './test/kinds.js';
import { LongestFirst } from './test/order.js';

const built = (file: string) => fileURLToPath(new URL(`dist/${file}`, import.meta.url));
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
      // Tests name the sources, and run what is built from them and shipped. Only parts of the live page, which is one
      // file for browsers, are run from their sources.
      { find: /^(?:\.\.\/)+src\/(?!page\/)(.+\.js)$/, replacement: built('$1') },
      { find: /^sandgate\/testing$/, replacement: built('testing/index.js') },
      { find: /^sandgate\/testing\/vitest$/, replacement: built('testing/vitest.js') },
    ],
  },
  test: {
    projects: [
      project('fast', { setupFiles: 'test/fast-only.ts' }),
      project('whole'),
      project('postgres', { globalSetup: 'test/postgres/setup.ts' }),
      project('built', { globalSetup: ['test/postgres/setup.ts'] }),
    ],
    globalSetup: ['test/build.ts'],
    server: { deps: { external: [/\/dist\//] } },
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
    // On two cores: a fifth of the time a worker waits for time limits and other processes, and often several of them do.
    maxWorkers: 4,
    // As many as test/testing/parallel.test.ts opens side by side.
    maxConcurrency: 20,
  },
});
