/** Programs of tests and benches, each made one file that starts quickly. What they import of Sandgate is what is shipped. */
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { ROOT } from '../scripts/build.js';

const SRC = join(ROOT, 'src/');

const shipped: Plugin = {
  name: 'shipped',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
      const source = resolve(resolveDir, path);
      if (!source.startsWith(SRC)) return undefined;
      return { external: true, path: pathToFileURL(join(ROOT, 'dist', relative(SRC, source))).href };
    }),
};

/** `options` names entry points and where the files go. */
export async function bundle(options: BuildOptions): Promise<void> {
  await build({
    ...{ absWorkingDir: ROOT, bundle: true, packages: 'external', logLevel: 'warning' },
    ...{ platform: 'node', format: 'esm', target: 'node22' },
    ...options,
    plugins: [shipped, ...(options.plugins ?? [])],
  });
}

/** A program, by its path in the project, as one file beside the packages that it needs. */
export async function bundled(source: string): Promise<string> {
  const outfile = join(ROOT, 'node_modules/.cache/bundled', source.replace(/\.ts$/, '.mjs'));
  await bundle({ entryPoints: [source], outfile });
  return outfile;
}
