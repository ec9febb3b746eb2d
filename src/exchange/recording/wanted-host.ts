/** `--host`: keeps only the calls to one host. */
import { SandgateError } from '../../spec/index.js';

const MOST_NAMED = 8;

/** `host` as a URL or the header Host has it; `wanted` may leave out the port. */
export function isHost(host: string, wanted: string): boolean {
  const [called, asked] = [host.toLowerCase(), wanted.toLowerCase()];
  return called === asked || called.replace(/:\d+$/, '') === asked;
}

/** Throws where none of the hosts of a file is the wanted one: a slip of the pen is no empty recording. */
export function checkHost(name: string, hosts: ReadonlySet<string>, wanted: string): void {
  const all = [...hosts].sort();
  if (all.some((host) => isHost(host, wanted))) return;
  const more = all.length > MOST_NAMED ? ` and ${all.length - MOST_NAMED} more` : '';
  const held = all.length === 0 ? 'no host' : all.slice(0, MOST_NAMED).join(', ') + more;
  throw new SandgateError('recording.no-such-host', { name, host: wanted, held });
}
