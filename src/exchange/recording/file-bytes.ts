/** Reads a file in parts. */

/** The bytes of a file, read where they are needed. */
export interface FileBytes {
  readonly size: number;
  /** `into`: memory that is free to be used for it, where it is large enough. */
  readonly read: (from: number, to: number, into?: Buffer) => Buffer;
}

/** Of what is in memory already. */
export function bytesOf(source: Buffer | string | Iterable<string>): FileBytes {
  const all = Buffer.isBuffer(source)
    ? source
    : Buffer.from(typeof source === 'string' ? source : [...source].join(''));
  return { size: all.length, read: (from, to) => all.subarray(from, to) };
}

const WINDOW = 262_144;

/** Elements come in their order, or nearly so: what follows one is read with it. */
export function windowed({ size, read }: FileBytes): FileBytes['read'] {
  const memory = Buffer.allocUnsafeSlow(Math.min(size, WINDOW));
  let start = 0;
  let window: Buffer = memory.subarray(0, 0);
  return (from, to) => {
    if (from < start || to > start + window.length) {
      start = from;
      window = read(from, Math.min(size, Math.max(to, from + WINDOW)), memory);
    }
    return window.subarray(from - start, to - start);
  };
}
