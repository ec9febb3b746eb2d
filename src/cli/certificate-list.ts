/** Shows the certificates of a folder: as rows for people, as records for scripts. */
import type { ListedCertificate } from '../app/certificates/index.js';
import { daysLeft, rolesOf } from './certificate-card.js';
import { renderTable } from './table.js';

const TABLE = ['name', 'organisation', 'roles', { right: 'days left' }, 'wrong on purpose'] as const;

/** `width`: of the screen, in characters; undefined in a pipe. `now` in epoch ms. */
export const renderList = (listed: readonly ListedCertificate[], now: number, width?: number): string =>
  renderTable(
    TABLE,
    listed.map((one) => toRow(one, now)),
    width,
  );

function toRow({ name, facts, hasKey, flaw }: ListedCertificate, now: number): string[] {
  const organisation = facts.organizationIdentifier?.text ?? facts.organization ?? facts.commonName ?? '';
  const remark = [flaw ?? '', hasKey ? '' : 'Its key is missing.'].filter((text) => text !== '');
  return [name, organisation, rolesOf(facts).join(' '), String(daysLeft(facts, now)), remark.join(' ')];
}

export function toListRecord({ name, facts, hasKey, flaw }: ListedCertificate, now: number) {
  return {
    name,
    organization: facts.organization,
    organizationIdentifier: facts.organizationIdentifier?.text ?? null,
    roles: rolesOf(facts),
    notBefore: facts.notBefore,
    notAfter: facts.notAfter,
    daysLeft: daysLeft(facts, now),
    hasKey,
    flaw,
  };
}
