/** The order in which test files run: what takes long begins early, so that no worker is left with it at the end. */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { type Kind, LONG } from './kinds.js';

/** The smallest files last. Workers are kept for files of a kind, so these stay together. */
const KINDS: readonly Kind[] = ['built', 'whole', 'postgres', 'fast'];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const rankOf = ({ project, moduleId }: TestSpecification): number => {
      const place = LONG.indexOf(relative(root, moduleId));
      return KINDS.indexOf(project.name as Kind) * 1_000 + (place < 0 ? LONG.length : place);
    };
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
  }
}
