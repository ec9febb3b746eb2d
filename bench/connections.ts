/** Calls with a connection of their own, to the gateway and to Node's bare https server: what a handshake costs. */
import { join } from 'node:path';
import { type Load, measureTogether, type Row } from './measure.js';
import { partOf, startGateway, startServer } from './processes.js';
import { accountsRequest, requestFor } from './requests.js';

const AT_ONCE = 16;

/** `full`: each handshake shows the certificate again; `resumed`: each but the first goes on with the session before it. */
export function measureConnections(
  kind: 'full' | 'resumed',
  { certs, seconds, runs }: Load,
  { program, folder }: { readonly program: string; readonly folder: string },
): Promise<Row[]> {
  const store = join(folder, `${kind}.db`);
  const gateway = () => startGateway({ program, certs, store }, []);
  return measureTogether(
    [
      {
        name: 'bare Node https',
        start: () => startServer([...partOf('bare-server'), certs]),
        call: () => requestFor('/'),
      },
      { name: 'sandgate serve', start: gateway, call: ({ port }) => accountsRequest(port, certs) },
    ],
    { program: [...partOf('load-connections'), kind], certs, seconds, runs, connections: AT_ONCE },
  );
}
