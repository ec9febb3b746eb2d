/** `/api/bank/snapshots`: names for what the bank was, to be gone back to. */
import type { AddRoute } from './route.js';

const nameOf = ({ params }: { readonly params: unknown }): string =>
  (params as { readonly name: string }).name;

export function addSnapshotRoutes(add: AddRoute): void {
  add('GET', '/api/bank/snapshots', (bank) => bank.snapshots());
  add('PUT', '/api/bank/snapshots/:name', (bank, request) => bank.takeSnapshot(nameOf(request)));
  add('DELETE', '/api/bank/snapshots/:name', (bank, request) => bank.dropSnapshot(nameOf(request)));
  add('POST', '/api/bank/snapshots/:name/restore', (bank, request) => bank.restoreSnapshot(nameOf(request)));
}
