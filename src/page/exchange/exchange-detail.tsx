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

/** What was sent, what belongs there, and what to do. */
function Said({ exchange: { sentence, refusal, remedy, findings } }: { exchange: Detail }) {
  const worst = refusal === null ? findings[0] : undefined;
  const advice = worst?.fix ?? remedy;
  return (
    <>
      <h1>{worst?.sentence ?? sentence}</h1>
      {advice === null ? null : <p class="advice">{advice}</p>}
    </>
  );
}

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
      <Said exchange={value} />
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
