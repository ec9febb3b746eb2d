/** Preloaded into Node programs of documents: maps the ports that documents name to those of this run. */
import { Socket } from 'node:net';

const ports = new Map(Object.entries(JSON.parse(process.env.DOCUMENT_PORTS ?? '{}')));
const { connect } = Socket.prototype;
Socket.prototype.connect = function (...given) {
  // Node hands on its arguments as an array of options and callback.
  const [options] = Array.isArray(given[0]) ? given[0] : given;
  const port = typeof options === 'object' ? ports.get(String(options?.port)) : undefined;
  if (port !== undefined) options.port = port;
  return connect.apply(this, given);
};
