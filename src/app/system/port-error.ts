/** Whether an address can be listened on. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Listens there for a moment; what kept it from that, or null. */
export async function portError(address: {
  host: string;
  port: number;
}): Promise<NodeJS.ErrnoException | null> {
  const server = createServer();
  try {
    // By itself, also where another process listens for this one.
    server.listen({ ...address, exclusive: true });
    await once(server, 'listening');
    return null;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  } finally {
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}
