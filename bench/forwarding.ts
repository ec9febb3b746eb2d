/** Forwarding with client certificates on both sides, rules and durable recording on, against forwarders that only forward. */
import { join } from 'node:path';
import { type Load, measureTogether, type Row, timesAsMany } from './measure.js';
import { partOf, startGateway, startServer, wayTo } from './processes.js';
import { accountsRequestWith } from './requests.js';

export interface Forwarding {
  /** Bare undici first, then http-proxy, then the gateway, and the gateway before a bank that never repeats itself. */
  readonly rows: readonly Row[];
  readonly ofDispatch: number;
  readonly ofHttpProxy: number;
}

/** Before a bank that answers about 1 KB of JSON. */
export async function measureForwarding(
  load: Load,
  { program, folder }: { readonly program: string; readonly folder: string },
): Promise<Forwarding> {
  const { certs } = load;
  const bankThat = (kind: string) => startServer([...partOf('bare-server'), certs, kind]);
  const [bank, fickle] = await Promise.all([bankThat('bank'), bankThat('fickle-bank')]);
  const call = () => accountsRequestWith('a-token-of-the-bank');
  const bare = (kind: string) => () =>
    startServer([...partOf('bare-forwarder'), kind, certs, String(bank.port)]);
  const gateway = (name: string, port: number) => {
    const store = join(folder, `${port}.db`);
    return { name, call, store, start: () => startGateway({ program, certs, store }, wayTo(port, certs)) };
  };
  try {
    const rows = await measureTogether(
      [
        { name: 'bare undici dispatch', start: bare('dispatch'), call },
        { name: 'bare http-proxy', start: bare('http-proxy'), call },
        gateway('sandgate, source upstream', bank.port),
        gateway('the same, no two bodies alike', fickle.port),
      ],
      load,
    );
    const [dispatch, httpProxy, own] = rows as [Row, Row, Row, Row];
    return { rows, ofDispatch: timesAsMany(own, dispatch), ofHttpProxy: timesAsMany(own, httpProxy) };
  } finally {
    await Promise.all([bank.stop(), fickle.stop()]);
  }
}
