/** Consents of the living bank, and how they can end. */
import { useEffect } from 'preact/hooks';
import type { ConsentAction, ShownConsent } from '../../admin/index.js';
import { hrefWith } from '../address.js';
import { act, get, withQuery } from '../api.js';
import { useAsked } from '../ask.js';
import { shortId } from '../format.js';
import { filterOf } from '../state/journeys.js';
import { doing } from '../state/said.js';
import { Table } from '../table.js';
import { Action, Part } from '../view.js';
import type { WorldParts } from './world.js';

const ACTIONS = { revoke: 'Revoke', expire: 'Expire', reject: 'Reject' } as const satisfies Record<
  ConsentAction,
  string
>;

export function Consents({ session, moved }: WorldParts) {
  const asked = useAsked(`consents ${session}`, () =>
    get<readonly ShownConsent[]>('/api/bank/consents', { session, limit: 100 }),
  );
  useEffect(asked.again, [moved]);
  const end = async (id: string, action: ConsentAction) => {
    const path = withQuery(`/api/bank/consents/${encodeURIComponent(id)}/${action}`, { session });
    await doing(
      () => act<ShownConsent>('POST', path),
      ({ consentStatus }) => `Consent ${shortId(id)} is ${consentStatus}.`,
    );
    asked.again();
  };
  return (
    <section>
      <h2>Consents</h2>
      <Part asked={asked}>
        {(all) => (
          <Table
            label="Consents"
            rows={all}
            keyOf={({ consentId }) => consentId}
            nothing="No TPP has created one yet."
            columns={[
              [
                'Consent',
                ({ consentId }) => (
                  <a
                    class="mono"
                    title={consentId}
                    href={hrefWith({
                      view: 'calls',
                      q: filterOf({ kind: 'consent', resource: consentId }) ?? '',
                    })}
                  >
                    {shortId(consentId)}
                  </a>
                ),
              ],
              ['Status', ({ consentStatus }) => consentStatus],
              ['TPP', ({ tpp }) => tpp, 'mono'],
              ['PSU', ({ psu }) => psu ?? '–'],
              ['Until', ({ validUntil }) => String(validUntil ?? '–'), 'num'],
              ['', ({ consentId }) => <Ends id={consentId} onEnd={end} />, 'acts-cell'],
            ]}
          />
        )}
      </Part>
    </section>
  );
}

function Ends({
  id,
  onEnd,
}: {
  readonly id: string;
  readonly onEnd: (id: string, action: ConsentAction) => void;
}) {
  return (
    <>
      {(Object.keys(ACTIONS) as ConsentAction[]).map((action) => (
        <Action key={action} of={id} onClick={() => onEnd(id, action)}>
          {ACTIONS[action]}
        </Action>
      ))}
    </>
  );
}
