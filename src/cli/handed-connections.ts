/**
 * Connections on their way to a worker. Where it ends before it has taken one, Node forgets that: nobody answers it, and
 * nobody ends it; and it never says that the worker's channel is closed. Such a connection goes to another worker.
 */
import type { Worker } from 'node:cluster';

/** What Node's cluster sends a worker with a connection; `ack` is the same number in what the worker says of it. */
interface Handing {
  readonly act?: string;
  readonly seq?: number;
}
interface Handle {
  readonly close: () => void;
}

/** `isAnyLeft`: whether another one takes connections; where none does, they are closed. */
export function keepHandedConnections(worker: Worker, isAnyLeft: () => boolean): void {
  const { process: child } = worker;
  const handed = new Map<number, Handle>();
  const send = child.send.bind(child) as (...given: unknown[]) => boolean;
  child.send = (message: Handing, handle?: unknown, ...rest: unknown[]) => {
    if (message.act === 'newconn' && message.seq !== undefined) handed.set(message.seq, handle as Handle);
    return send(message, handle, ...rest);
  };
  child.on('internalMessage', ({ ack }: { readonly ack?: number }) => {
    if (ack !== undefined) handed.delete(ack);
  });
  // It has ended, and all that it said was heard.
  child.once('close', () => {
    child.emit('disconnect');
    for (const [seq, handle] of [...handed])
      if (isAnyLeft()) child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: seq, accepted: false });
      else handle.close();
  });
}
