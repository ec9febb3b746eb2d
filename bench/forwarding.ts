/** Forwarding with client certificates on both sides, rules and durable recording on, against forwarders that only forward. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Load, measureTogether, type Row, timesAsMany } from './measure.js';
import { startServer } from './processes.js';
import { accountsRequestWith } from './requests.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const TSX = ['--import', import.meta.resolve('tsx')];

export interface Forwarding {
  /** Bare undici first, then http-proxy, then the gateway. */
  readonly rows: readonly Row[];
  readonly ofDispatch: number;
  readonly ofHttpProxy: number;
}

/** All of them before the same bank, which answers about 1 KB of JSON. */
export async function measureForwarding(
  load: Load,
  { program, folder }: { readonly program: string; readonly folder: string },
): Promise<Forwarding> {
  const { certs } = load;
  const bank = await startServer([...TSX, here('bare-server.ts'), certs, 'bank']);
  const call = () => accountsRequestWith('a-token-of-the-bank');
  const bare = (kind: string) => () =>
    startServer([...TSX, here('bare-forwarder.ts'), kind, certs, String(bank.port)]);
  const store = join(folder, 'forwarding.db');
  const gateway = () => startServer([program, 'serve', ...flags(certs, store, bank.port)]);
  try {
    const rows = await measureTogether(
      [
        { name: 'bare undici dispatch', start: bare('dispatch'), call },
        { name: 'bare http-proxy', start: bare('http-proxy'), call },
        { name: 'sandgate, source upstream', start: gateway, call, store },
      ],
      load,
    );
    const [dispatch, httpProxy, own] = rows as [Row, Row, Row];
    return { rows, ofDispatch: timesAsMany(own, dispatch), ofHttpProxy: timesAsMany(own, httpProxy) };
  } finally {
    await bank.stop();
  }
}

function flags(certs: string, store: string, port: number): string[] {
  const ports = ['--listen', '127.0.0.1:0', '--psu-listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0'];
  const bank = ['--upstream', `https://localhost:${port}`, '--upstream-ca', join(certs, 'ca.pem')];
  const shown = ['--upstream-cert', join(certs, 'tpp.pem'), '--upstream-key', join(certs, 'tpp.key')];
  const own = ['--certs', certs, '--store', store, '--session', 'bench', '--json', '--log-level', 'error'];
  return [...ports, ...bank, ...shown, ...own];
}
