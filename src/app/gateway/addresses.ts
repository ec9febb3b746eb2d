/** The addresses of the listeners, for people and for links. */
import { isIPv6 } from 'node:net';
import { type Address, isLoopback } from '../config/values.js';

export interface Urls {
  readonly api: string;
  readonly psu: string;
  readonly admin: string;
}

/** The first of several processes listens for operators; the others hear later at which port, where any would do. */
const isAdminKnown = ({ admin }: Urls): boolean => !admin.endsWith(':0');

/** Whether answers may lead to operators' pages: these are on this machine, at a port that this process knows. */
export const isAdminShown = ({ host }: Address, urls: Urls): boolean =>
  isLoopback(host) && isAdminKnown(urls);

export const knownUrls = (urls: Urls): Omit<Urls, 'admin'> & Partial<Urls> =>
  isAdminKnown(urls) ? urls : { api: urls.api, psu: urls.psu };

/** A listener on every address of the machine is reached as localhost. */
const EVERYWHERE = new Set(['0.0.0.0', '::']);

export function urlOf(scheme: 'http' | 'https', { host }: Address, port: number): string {
  const name = EVERYWHERE.has(host) || isLoopback(host) ? 'localhost' : isIPv6(host) ? `[${host}]` : host;
  return `${scheme}://${name}:${port}`;
}
