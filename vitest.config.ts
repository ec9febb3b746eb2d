import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (file: string) => fileURLToPath(new URL(`src/testing/${file}`, import.meta.url));

/** All but those that need a process or a thread of their own, or that change what all share. */
const TOGETHER = [
  'test/{spec,certificate,exchange,ledger,rules,answer,gateway,recorder,report,app,cli,mutations}/**/*.test.ts',
];

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
      // These share one set of modules: loading them anew for each file took a third of the time.
      { extends: true, test: { name: 'together', include: TOGETHER, isolate: false } },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['test/**/*.test.ts', 'examples/**/*.test.ts'],
          exclude: TOGETHER,
        },
      },
    ],
    globalSetup: 'test/build.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two cores: more workers than that only make the tests over real sockets wait for each other.
    maxWorkers: 2,
    // As many as test/testing/parallel.test.ts opens side by side.
    maxConcurrency: 20,
  },
});
