/** One call: what was wrong with it, what to do, and all that was recorded. */
import type { Detail } from '../../admin/index.js';
import { get } from '../api.js';
import { useAsked } from '../ask.js';
import { Actions } from './actions.js';
import { CertificateCard } from './certificate-card.js';
import { Facts } from './facts.js';
import { Findings } from './findings.js';
import { Message } from './message.js';
import { Neighbours } from './neighbours.js';
import { Verdicts } from './verdicts.js';

export function ExchangeDetail({ id }: { id: string }) {
  const { value, problem } = useAsked(id, () => get<Detail>(`/api/exchanges/${encodeURIComponent(id)}`));
  if (problem !== null)
    return (
      <p class="problem" role="alert">
        {problem}
      </p>
    );
  if (value === undefined) return <p class="soft end">Loading…</p>;
  return (
    <div class="detail" key={value.id}>
      <Neighbours exchange={value} />
      <h1>{value.sentence}</h1>
      <p class="soft mono">
        {value.findings[0] === undefined ? null : (
          <>
            <span class={`badge ${value.findings[0].severity}`}>{value.findings[0].severity}</span>{' '}
            {value.findings[0].rule}
          </>
        )}
      </p>
      <Actions exchange={value} />
      <Findings exchange={value} />
      <div class="sides">
        <Message exchange={value} side="request" />
        <Message exchange={value} side="answer" />
      </div>
      <Facts exchange={value} />
      <CertificateCard exchange={value} />
      <Verdicts verdicts={value.verdicts} />
    </div>
  );
}
