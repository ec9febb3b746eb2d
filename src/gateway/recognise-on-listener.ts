/**
 * Recognises the operation on its listener; an operation of the other listener is an unknown path that names the right
 * address.
 */
import { createTextMemory, type TextMemory } from '../exchange/index.js';
import { createRecogniser, OPERATION_IDS, operationRow, type Recognition } from '../spec/index.js';
import type { Side } from './arrivals.js';

export interface SidesParts {
  readonly segment: string;
  /** Start of the address of each listener, known once it listens. */
  readonly urls: () => Readonly<Record<Side, string>>;
}

export type RecogniseOn = (side: Side, method: string, path: string) => Recognition;

export function createRecogniseOn({ segment, urls }: SidesParts): RecogniseOn {
  const recognise = createRecogniser(segment);
  const sideOf = new Map<string, Side>(
    OPERATION_IDS.map((id) => [
      operationRow(id).path.replace('{segment}', segment),
      operationRow(id).listener,
    ]),
  );
  const elsewhere = (side: Side, template: string): Recognition => ({
    kind: 'path-unknown',
    nearest: sideOf.get(template) === side ? template : `${urls()[sideOf.get(template) ?? side]}${template}`,
  });

  const recogniseOn: RecogniseOn = (side, method, path) => {
    const found = recognise(method, path);
    if (found.kind === 'path-unknown') return elsewhere(side, found.nearest);
    // Of a path all methods are on one listener: any of those it offers tells which.
    const known = found.kind === 'operation' ? found : recognise(found.allow[0] ?? 'GET', path);
    if (known.kind !== 'operation') return found;
    const row = operationRow(known.operation);
    return row.listener === side ? found : elsewhere(side, row.path.replace('{segment}', segment));
  };
  /** By method, of which Node's parser takes few. */
  const lately = { api: new Map<string, TextMemory<Recognition>>(), psu: new Map() };

  return (side, method, path) => {
    let memory = lately[side].get(method);
    if (memory === undefined) {
      memory = createTextMemory((text) => recogniseOn(side, method, text));
      lately[side].set(method, memory);
    }
    return memory(path);
  };
}
