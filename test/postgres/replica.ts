/** A server with a replica that follows it, behind one address; the replica takes its place. */
import { onTestFinished } from 'vitest';
import { startProxy } from './proxy.js';
import { followed, part, promote, replicaOf } from './replication.js';
import { runServer } from './run-server.js';

export interface Replicated {
  /** Of whoever is the server now. */
  readonly port: number;
  readonly replicaPort: number;
  readonly password: string;
  /** All that is committed by now is at the replica. */
  readonly followed: () => Promise<void>;
  /** The replica hears of nothing any more. */
  readonly partReplica: () => Promise<void>;
  /** The server is killed, and the replica is the server. */
  readonly failOver: () => Promise<void>;
}

export async function startReplicated(): Promise<Replicated> {
  const server = await runServer();
  onTestFinished(server.close);
  const replica = await replicaOf(server);
  onTestFinished(replica.close);
  const proxy = await startProxy(server.port);
  return {
    port: proxy.port,
    replicaPort: replica.port,
    password: server.password,
    followed: () => followed(server, replica),
    partReplica: () => part(replica),
    failOver: async () => {
      await server.kill();
      await promote(replica);
      proxy.moveTo(replica.port);
    },
  };
}
