/** Puts a key and its certificates into one PKCS#12 file (RFC 7292), for RSA and EC keys alike. */
import { createHmac, hash, type KeyObject } from 'node:crypto';
import { parseDer } from './der.js';
import { bmp, explicit, integer, nothing, octets, oid, render, sequence, set } from './der-write.js';

interface Pkcs12Order {
  readonly privateKey: KeyObject;
  /** DER, the leaf first. */
  readonly certificates: readonly Uint8Array[];
  readonly name: string;
  /** May be empty; then the file is as open as the key in PEM is. */
  readonly passphrase: string;
  readonly salt: Uint8Array;
}

const DATA = '1.2.840.113549.1.7.1';
const SHROUDED_KEY_BAG = '1.2.840.113549.1.12.10.1.2';
const CERTIFICATE_BAG = '1.2.840.113549.1.12.10.1.3';
const X509_CERTIFICATE = '1.2.840.113549.1.9.22.1';
const FRIENDLY_NAME = '1.2.840.113549.1.9.20';
const LOCAL_KEY_ID = '1.2.840.113549.1.9.21';
const SHA256 = '2.16.840.1.101.3.4.2.1';
const ITERATIONS = 10_000;
const BLOCK = 64;
const MAC_KEY = 3;

const data = (content: Uint8Array) => sequence(oid(DATA), explicit(0, octets(content)));

/** Key store and certificate find each other by the local key id. */
const attributes = (name: string, keyId: Uint8Array) =>
  set(sequence(oid(FRIENDLY_NAME), set(bmp(name))), sequence(oid(LOCAL_KEY_ID), set(octets(keyId))));

function certificateBag(der: Uint8Array, first: boolean, order: Pkcs12Order, keyId: Uint8Array) {
  const bag = explicit(0, sequence(oid(X509_CERTIFICATE), explicit(0, octets(der))));
  return sequence(oid(CERTIFICATE_BAG), bag, ...(first ? [attributes(order.name, keyId)] : []));
}

function fill(bytes: Uint8Array): Buffer {
  return Buffer.alloc(Math.ceil(bytes.length / BLOCK) * BLOCK, bytes);
}

/** RFC 7292 B.2 for one block of SHA-256, all that a MAC key needs. */
function macKey(passphrase: string, salt: Uint8Array): Buffer {
  const password = Buffer.from(`${passphrase}\0`, 'utf16le').swap16();
  let key = Buffer.concat([Buffer.alloc(BLOCK, MAC_KEY), fill(salt), fill(password)]);
  for (let round = 0; round < ITERATIONS; round++) key = hash('sha256', key, 'buffer');
  return key;
}

/** DER of a PKCS#12 file: key under PBES2 with AES-256, certificates in the clear, a MAC with SHA-256 over both. */
export function renderPkcs12(order: Pkcs12Order): Buffer {
  const { certificates, passphrase, privateKey, salt } = order;
  const keyId = hash('sha256', certificates[0] ?? '', 'buffer').subarray(0, 20);
  const shrouded = privateKey.export({ type: 'pkcs8', format: 'der', cipher: 'aes-256-cbc', passphrase });
  const keyBag = sequence(
    oid(SHROUDED_KEY_BAG),
    explicit(0, parseDer(shrouded)),
    attributes(order.name, keyId),
  );
  const bags = certificates.map((der, i) => certificateBag(der, i === 0, order, keyId));
  const safe = render(sequence(data(render(sequence(...bags))), data(render(sequence(keyBag)))));
  const mac = createHmac('sha256', macKey(passphrase, salt)).update(safe).digest();
  const macData = sequence(
    sequence(sequence(oid(SHA256), nothing()), octets(mac)),
    octets(salt),
    integer(ITERATIONS),
  );
  return render(sequence(integer(3), data(safe), macData));
}
