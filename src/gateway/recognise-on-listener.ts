/**
 * Recognises the operation on its listener; an operation of the other listener is an unknown path that names the right
 * address.
 */
import { createTextMemory, type OwnListener, type TextMemory } from '../exchange/index.js';
import { type Dialect, operationRow, type Recognition } from '../spec/index.js';

export interface SidesParts {
  readonly dialect: Dialect;
  /** Start of the address of each listener, known once it listens. */
  readonly urls: () => Readonly<Record<OwnListener, string>>;
}

export type RecogniseOn = (listener: OwnListener, method: string, path: string) => Recognition;

export function createRecogniseOn({ dialect, urls }: SidesParts): RecogniseOn {
  const { recognise, templates } = dialect;
  const listenerOf = new Map<string, OwnListener>(
    [...templates].map(([id, template]) => [template, operationRow(id).listener]),
  );
  const elsewhere = (listener: OwnListener, template: string): Recognition => ({
    kind: 'path-unknown',
    nearest:
      template === '' || listenerOf.get(template) === listener
        ? template
        : `${urls()[listenerOf.get(template) ?? listener]}${template}`,
  });

  const recogniseOn: RecogniseOn = (listener, method, path) => {
    const found = recognise(method, path);
    if (found.kind === 'path-unknown') return elsewhere(listener, found.nearest);
    // All methods of a path are on one listener: any of those it offers tells which.
    const known = found.kind === 'operation' ? found : recognise(found.allow[0] ?? 'GET', path);
    if (known.kind !== 'operation') return found;
    const row = operationRow(known.operation);
    return row.listener === listener ? found : elsewhere(listener, templates.get(known.operation) ?? '');
  };
  /** Keyed by method: Node's parser accepts few. */
  const lately = { api: new Map<string, TextMemory<Recognition>>(), psu: new Map() };

  return (listener, method, path) => {
    let memory = lately[listener].get(method);
    if (memory === undefined) {
      memory = createTextMemory((text) => recogniseOn(listener, method, text));
      lately[listener].set(method, memory);
    }
    return memory(path);
  };
}
