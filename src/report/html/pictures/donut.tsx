/** A ring chart of the rules by outcome. */
import type { Party } from '../../model.js';
import { Picture } from '../parts.js';
import { counted } from '../text.js';

type Rules = Party['rules'];

/** In the order of the ring, from the gravest on. `shape` is the swatch in the legend, so that colour is not alone. */
export const OUTCOMES: readonly {
  readonly key: keyof Rules;
  readonly label: string;
  readonly tone: string;
}[] = [
  { key: 'mustViolated', label: 'must violated', tone: 'must' },
  { key: 'shouldViolated', label: 'should violated', tone: 'should' },
  { key: 'noteViolated', label: 'noted', tone: 'note' },
  { key: 'waived', label: 'violated, waived', tone: 'waived' },
  { key: 'complied', label: 'complied', tone: 'fine' },
  { key: 'notObserved', label: 'not observed', tone: 'none' },
  { key: 'notApplicable', label: 'not applicable', tone: 'na' },
  { key: 'off', label: 'switched off', tone: 'off' },
];

const SIZE = 168;
const RADIUS = 66;
const ROUND = 2 * Math.PI * RADIUS;
const GAP = 2;

export function Donut({ id, who, party }: { id: string; who: string; party: Party }) {
  const total = OUTCOMES.reduce((sum, { key }) => sum + party.rules[key], 0);
  const violated = party.rules.mustViolated + party.rules.shouldViolated;
  const told = OUTCOMES.filter(({ key }) => party.rules[key] > 0)
    .map(({ key, label }) => `${party.rules[key]} ${label}`)
    .join(', ');
  return (
    <Picture
      id={id}
      title={`Rules for the ${who}`}
      description={`${counted(total, 'rule')}: ${told}.`}
      width={SIZE}
      height={SIZE}
      size="fixed"
    >
      <circle class="track" cx={SIZE / 2} cy={SIZE / 2} r={RADIUS} />
      {arcsOf(party.rules, total).map(({ tone, length, offset }) => (
        <circle
          key={tone}
          class={`arc ${tone}`}
          cx={SIZE / 2}
          cy={SIZE / 2}
          r={RADIUS}
          stroke-dasharray={`${length.toFixed(2)} ${(ROUND - length).toFixed(2)}`}
          stroke-dashoffset={(ROUND / 4 - offset).toFixed(2)}
        />
      ))}
      <text class="figure" x={SIZE / 2} y={SIZE / 2 + 8}>
        {violated}
      </text>
      <text class="label" x={SIZE / 2} y={SIZE / 2 + 28}>
        violated
      </text>
    </Picture>
  );
}

/** An arc too short to be seen is drawn a little longer than it is. */
function arcsOf(rules: Rules, total: number) {
  const shares = OUTCOMES.filter(({ key }) => rules[key] > 0).map(({ key, tone }) => ({
    tone,
    share: Math.max(rules[key] / total, 0.012),
  }));
  const sum = shares.reduce((all, { share }) => all + share, 0);
  const gap = shares.length > 1 ? GAP : 0;
  let offset = 0;
  return shares.map(({ tone, share }) => {
    const whole = (share / sum) * ROUND;
    const arc = { tone, length: whole - gap, offset };
    offset += whole;
    return arc;
  });
}
