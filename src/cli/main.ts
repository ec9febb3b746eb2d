#!/usr/bin/env node
/** Starts the program `sandgate`, if this Node can run it. */
import { keepCompiledCode, nodeFault } from '../app/engine/index.js';

const fault = nodeFault(process.versions);
if (fault !== undefined) {
  process.stderr.write(`${fault}\n`);
  process.exitCode = 2;
} else {
  keepCompiledCode();
  await import('./program.js');
}
