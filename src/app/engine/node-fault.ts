/** The oldest Node that package.json promises; an older one ends with a segmentation fault in the SQLite driver,
 * which needs version 10 of Node-API. */
const OLDEST = [22, 14] as const;

/** One sentence where this version of Node (`22.14.0`) is too old to run Sandgate. */
export function nodeFault(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isTooOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
  return isTooOld ? `Sandgate needs Node ${OLDEST.join('.')} or newer; this is Node ${version}.` : undefined;
}
