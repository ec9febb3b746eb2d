/** The oldest Node that package.json promises. An older one lacks what the SQLite driver needs, and ends with a segmentation fault. */
const OLDEST = [22, 14] as const;
/** Version of Node-API: 22.14 has it, and 23.6, but not 23.0 to 23.5. */
const NODE_API = 10;

/** One sentence where a Node with these versions (`process.versions`) cannot run Sandgate. */
export function nodeFault({
  node,
  napi,
}: Pick<NodeJS.ProcessVersions, 'node'> & { readonly napi?: string }): string | undefined {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const isTooOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
  if (isTooOld) return `Sandgate needs Node ${OLDEST.join('.')} or newer; this is Node ${node}.`;
  if (Number(napi) >= NODE_API) return undefined;
  return `Sandgate needs a Node with Node-API ${NODE_API}: ${OLDEST.join('.')} to 22.x, or 23.6 and newer; this is Node ${node}.`;
}
