/** Operations against how they ended, and rights against their use. */
import type { Access, Exercised, Report } from '../../model.js';
import { Nothing, Recorded } from '../parts.js';
import { type Column, Table } from '../table.js';
import { grouped, groupedOrNone } from '../text.js';

const OUTCOMES: readonly (readonly [keyof Exercised['outcomes'], string])[] = [
  ['success', 'Success'],
  ['refusedByPsu', 'Refused by the PSU'],
  ['timeout', 'Timeout'],
  ['wrongCredentials', 'Wrong credentials'],
  ['bankError', 'Error of the bank'],
  ['refused', 'Refused'],
  ['injected', 'Injected fault'],
  ['open', 'Open, or not known'],
];

export function ExercisedTables({ exercised, access }: Pick<Report, 'exercised' | 'access'>) {
  return (
    <>
      <h3>Operations and SCA outcomes</h3>
      <Table
        label="Operations by how they ended for the TPP"
        caption="How each operation ended for the TPP; 0 is not tested, empty cannot happen without the PSU"
        rows={exercised.rows}
        rowProps={({ done }) => ({ class: done === 0 ? 'zero' : undefined })}
        columns={[
          ['Operation', ({ label }) => label, 'head'],
          ['Done', ({ done }) => (done === 0 ? 'not tested' : grouped(done)), 'num'],
          ...OUTCOMES.map(
            ([outcome, title]): Column<Exercised> => [
              title,
              ({ outcomes }) => (outcomes[outcome] === null ? '' : grouped(outcomes[outcome] ?? 0)),
              'num',
            ],
          ),
        ]}
      />
      <h3>Access asked for, access used</h3>
      {access.length === 0 ? (
        <Nothing>No consent was authorised or used.</Nothing>
      ) : (
        <AccessTable access={access} />
      )}
    </>
  );
}

function AccessTable({ access }: { access: readonly Access[] }) {
  const several = new Set(access.map(({ tpp }) => tpp)).size > 1;
  const hasOmitted = access.some(({ omitted }) => omitted > 0);
  return (
    <Table
      label="Access asked for and used"
      caption="Rights that consents ask for, and those that no call used"
      rows={access}
      columns={[
        ['Kind of consent', ({ label }) => label, 'head'],
        several && ['TPP', ({ tpp }) => <Recorded text={tpp} />],
        ['Consents', ({ consents }) => grouped(consents), 'num'],
        ['Asked for', ({ askedFor }) => askedFor.join(', ') || 'not recorded'],
        [
          'Never used',
          ({ askedFor, neverUsed }) =>
            neverUsed.map(({ right, consents }) => `${right}, in ${grouped(consents)}`).join('; ') ||
            (askedFor.length === 0 ? '–' : 'all were used'),
        ],
        hasOmitted && ['Not followed', ({ omitted }) => groupedOrNone(omitted), 'num'],
      ]}
    />
  );
}
