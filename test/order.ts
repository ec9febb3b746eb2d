/** The order in which test files run: what takes long begins early, so that no worker is left with it at the end. */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { type Kind, kindOfFile, LONG } from './kinds.js';

/**
 * Fast ones first: after a test that opens a database nobody sees that a fast one in the same worker opens it. Of `whole`
 * most are small: last. Workers are kept for files of a project, which are of a kind, so these stay together.
 */
const KINDS: readonly Kind[] = ['fast', 'built', 'postgres', 'whole'];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const file = relative(root, moduleId);
      const place = LONG.indexOf(file);
      return KINDS.indexOf(kindOfFile(file)) * 1_000 + (place < 0 ? LONG.length : place);
    };
    const ranked = (await super.sort(files)).map((file) => ({ file, rank: rankOf(file) }));
    return ranked.sort((a, b) => a.rank - b.rank).map(({ file }) => file);
  }
}
