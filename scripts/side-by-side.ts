/** Runs scripts of package.json side by side, and shows what those said that failed. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const names = process.argv.slice(2);
const ends = await Promise.allSettled(
  names.map((name) => run('npm', ['run', '--silent', name], { maxBuffer: Number.POSITIVE_INFINITY })),
);
for (const [i, end] of ends.entries()) {
  if (end.status === 'fulfilled') continue;
  process.exitCode = 1;
  const { stdout, stderr } = end.reason;
  console.error(`npm run ${names[i]} failed:\n${stdout}${stderr}`);
}
