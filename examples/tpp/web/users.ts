/** The users of this TPP and who of them is signed in. They are the TPP's own: the bank knows nothing of them. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

export interface User {
  readonly name: string;
}

interface Account {
  readonly user: User;
  readonly salt: Buffer;
  readonly hash: Promise<Buffer>;
}

export interface Session {
  readonly user: User;
  /** Stands in every form: a page of another site does not know it. */
  readonly formToken: string;
}

export interface Users {
  /** A further user; one who is known already stays as it is. */
  readonly add: (name: string, password: string) => void;
  /** The id of a new session; undefined where name or password is wrong. */
  readonly signIn: (name: string, password: string) => Promise<string | undefined>;
  readonly sessionOf: (id: string | undefined) => Session | undefined;
  readonly signOut: (id: string) => void;
}

const MOST_SESSIONS = 1_000;
const HASH_BYTES = 32;
/** Takes long on purpose, so that it must not keep the other users waiting. */
const hashOf = (password: string, salt: Buffer) =>
  promisify<string, Buffer, number, Buffer>(scrypt)(password, salt, HASH_BYTES);

export function createUsers(passwords: Readonly<Record<string, string>>): Users {
  const accounts = new Map<string, Account>();
  const add = (name: string, password: string) => {
    if (accounts.has(name)) return;
    const salt = randomBytes(16);
    accounts.set(name, { user: { name }, salt, hash: hashOf(password, salt) });
  };
  for (const [name, password] of Object.entries(passwords)) add(name, password);
  const sessions = new Map<string, Session>();
  return {
    add,
    signIn: async (name, password) => {
      const account = accounts.get(name);
      if (account === undefined) return undefined;
      const hash = await hashOf(password, account.salt);
      if (!timingSafeEqual(hash, await account.hash)) return undefined;
      const [oldest] = sessions.keys();
      if (sessions.size >= MOST_SESSIONS && oldest !== undefined) sessions.delete(oldest);
      const id = secret();
      sessions.set(id, { user: account.user, formToken: secret() });
      return id;
    },
    sessionOf: (id) => (id === undefined ? undefined : sessions.get(id)),
    signOut: (id) => void sessions.delete(id),
  };
}

const secret = () => randomBytes(24).toString('base64url');
