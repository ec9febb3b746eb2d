/** Names of subjects and issuers: their attributes, and the line in which people read them. */
import { childrenOf, type DerNode, oidOf, printable, textOf } from './der.js';
import type { CertificateFacts } from './facts.js';
import { ATTRIBUTES, OID } from './oids.js';

type OrganizationIdentifier = CertificateFacts['organizationIdentifier'];
type NameAttribute = { readonly oid: string; readonly value: string };

/** Attributes in the order of the certificate; what has no readable text is passed over. */
export function readName(name: DerNode | undefined): NameAttribute[] {
  return childrenOf(name)
    .flatMap((rdn) => childrenOf(rdn))
    .flatMap((attribute) => {
      const [type, value] = childrenOf(attribute);
      try {
        return [{ oid: oidOf(type), value: textOf(value) }];
      } catch {
        return [];
      }
    });
}

const SPECIAL = /[\\,+"<>;=]/g;

/** One line in the manner of RFC 4514, most specific attribute first, in which no value can pass for another one. */
export function nameLine(name: readonly NameAttribute[]): string {
  return [...name]
    .reverse()
    .map(({ oid, value }) => `${ATTRIBUTES[oid] ?? oid}=${printable(value).replace(SPECIAL, '\\$&')}`)
    .join(', ');
}

export const attributeOf = (name: readonly NameAttribute[], oid: string): string | null =>
  name.find((attribute) => attribute.oid === oid)?.value ?? null;

const PSD = /^PSD([A-Z]{2})-([A-Z]{2,8})-(.+)$/;
/** ETSI EN 319 412-1 5.1.4; `XG` stands for no country. */
const OTHER = /^(?!PSD)([A-Z]{3}|[A-Z]{2}:)([A-Z]{2})-(.+)$/;

function readOrganizationIdentifier(text: string): OrganizationIdentifier {
  const psd = PSD.exec(text);
  if (psd !== null)
    return {
      text,
      scheme: 'PSD',
      country: psd[1] ?? null,
      authority: psd[2] ?? null,
      number: psd[3] ?? null,
    };
  const other = OTHER.exec(text);
  return {
    text,
    scheme: other?.[1] ?? null,
    country: other?.[2] ?? null,
    authority: null,
    number: other?.[3] ?? null,
  };
}

export function organizationIdentifierOf(name: readonly NameAttribute[]): OrganizationIdentifier {
  const text = attributeOf(name, OID.organizationIdentifier);
  return text === null ? null : readOrganizationIdentifier(text);
}
