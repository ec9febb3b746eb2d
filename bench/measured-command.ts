/** Time and memory of a command of the built program. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

/** Runs `sandgate` in a process of its own, and prints a line on it. */
export async function measureCommand(name: string, args: readonly string[]): Promise<void> {
  const start = process.hrtime.bigint();
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid ?? 0));
  }, 50);
  const status = await new Promise<number | null>((resolve) => child.on('exit', resolve));
  clearInterval(watch);
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  const memory = peak === 0 ? 'not measured here' : megabytes(peak);
  console.log(`  ${name.padEnd(22)} ${seconds.toFixed(1)} s, at most ${memory}, status ${status}`);
}

/** The largest resident set so far, in bytes; 0 where the system does not tell. */
function peakOf(pid: number): number {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return 0;
  try {
    const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(file, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_048_576)} MiB`;
}
