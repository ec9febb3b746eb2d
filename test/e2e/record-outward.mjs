/**
 * Preloaded into a process (`node --import`): notes each connection that it opens, each name that it looks up and each
 * datagram that it sends, a line each, in the file that OUTWARD_FILE names. What leads to no other host is not noted:
 * pipes, and addresses that need no look-up.
 */
import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

const file = process.env.OUTWARD_FILE ?? '';
const note = (...words) => appendFileSync(file, `${words.join(' ')}\n`);

function before(owner, name, look) {
  const own = Reflect.get(owner, name);
  Reflect.set(owner, name, function (...args) {
    look(args);
    return own.apply(this, args);
  });
}

before(net.Socket.prototype, 'connect', ([first, second]) => {
  // Node's own callers hand over the arguments in a list.
  const [target, host = second] = Array.isArray(first) ? first : [first];
  if (typeof target === 'string') return;
  const options = typeof target === 'object' ? target : null;
  if (options === null) note('connect', host, target);
  // The path of a TLS connection that stands already, or of a request, is no pipe: those have a port.
  else if (options.port !== undefined) note('connect', options.host ?? 'localhost', options.port);
});
before(dgram.Socket.prototype, 'send', () => note('datagram'));
for (const module of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype]) {
  for (const name of Object.getOwnPropertyNames(module)) {
    if (!/^(?:lookup|resolve|reverse)/.test(name)) continue;
    before(module, name, ([asked]) => {
      if (net.isIP(String(asked)) === 0) note(name, asked);
    });
  }
}
syncBuiltinESMExports();
