/**
 * All tests in one project, as `npm test` runs them: workers load the sources once, and not once for each kind of test.
 * The projects of vitest.config.ts are for who runs a part.
 */
import { defineConfig } from 'vitest/config';
import { testFiles } from './test/kinds.js';
import config from './vitest.config.js';

const { projects: _, ...test } = config.test ?? {};

export default defineConfig({
  ...config,
  test: {
    ...test,
    include: Object.values(testFiles()).flat(),
    globalSetup: ['test/build.ts', 'test/postgres/setup.ts'],
    setupFiles: 'test/fast-only.ts',
  },
});
