/** Forwarding with client certificates on both sides, rules and durable recording on, against forwarders that only forward. */
import { join } from 'node:path';
import { type Load, measureTogether, type Row, timesAsMany } from './measure.js';
import { partOf, startGateway, startServer, wayTo } from './processes.js';
import { accountsRequestWith } from './requests.js';

export interface Forwarding {
  /** Bare undici first, then http-proxy, then the gateway, with traces, and before a bank that never repeats itself. */
  readonly rows: readonly Row[];
  readonly ofDispatch: number;
  readonly ofHttpProxy: number;
}

/** Before a bank that answers about 1 KB of JSON. */
export async function measureForwarding(
  load: Load,
  { program, folder, sink }: { readonly program: string; readonly folder: string; readonly sink: string },
): Promise<Forwarding> {
  const { certs } = load;
  const bankThat = (kind: string) => startServer([...partOf('bare-server'), certs, kind]);
  const [bank, fickle] = await Promise.all([bankThat('bank'), bankThat('fickle-bank')]);
  const call = () => accountsRequestWith('a-token-of-the-bank');
  const bare = (kind: string) => () =>
    startServer([...partOf('bare-forwarder'), kind, certs, String(bank.port)]);
  const gateway = (name: string, port: number, flags: readonly string[] = []) => {
    const store = join(folder, `${port}${flags[0] ?? ''}.db`);
    const start = () => startGateway({ program, certs, store }, [...wayTo(port, certs), ...flags]);
    return { name, call, store, start };
  };
  try {
    const rows = await measureTogether(
      [
        { name: 'bare undici dispatch', start: bare('dispatch'), call },
        { name: 'bare http-proxy', start: bare('http-proxy'), call },
        gateway('sandgate, source upstream', bank.port),
        gateway('the same, --otlp', bank.port, ['--otlp', sink]),
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
