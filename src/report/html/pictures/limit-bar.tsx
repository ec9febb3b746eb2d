/** Draws the accesses of a day against the limit: a box for each allowed one, filled when used. */
import type { Report } from '../../model.js';
import { Picture } from '../parts.js';
import { counted } from '../text.js';

type Row = Report['dailyLimit']['rows'][number];

const BOX = 16;
const GAP = 4;
const HEIGHT = 22;
/** More boxes could not be told apart: from here on, one long bar. */
const MOST = 12;

export function LimitBar({ id, row }: { id: string; row: Row }) {
  const { allowed, unattended, over, refused } = row;
  const boxes = Math.max(allowed, unattended) + refused;
  const told = [
    `${unattended} of ${counted(allowed, 'access', 'accesses')} used`,
    ...(over > 0 ? [`${over} over`] : []),
    ...(refused > 0 ? [`${refused} refused`] : []),
  ].join(', ');
  return (
    <Picture
      id={id}
      title="Accesses without the PSU"
      description={`${told}.`}
      width={Math.min(boxes, MOST) * (BOX + GAP) + GAP}
      height={HEIGHT}
      size="fixed"
    >
      {boxes <= MOST ? <Boxes row={row} /> : <LongBar row={row} />}
    </Picture>
  );
}

function Boxes({ row: { allowed, unattended, refused } }: { row: Row }) {
  const used = Math.max(allowed, unattended);
  return (
    <>
      {Array.from({ length: used + refused }, (_, i) => {
        const x = i * (BOX + GAP) + 1;
        const kind = i >= used ? 'refused' : i >= allowed ? 'over' : i < unattended ? 'used' : 'free';
        return (
          <g key={i}>
            <rect class={`box ${kind}`} x={x} y={3} width={BOX} height={BOX} rx={3} />
            {kind === 'refused' ? <path class="strike" d={`M${x + 4} 15 ${x + BOX - 4} 7`} /> : null}
            {kind === 'over' ? <path class="bang" d={`M${x + BOX / 2} 6v6M${x + BOX / 2} 14.5v1`} /> : null}
          </g>
        );
      })}
      <line
        class="allowed"
        x1={allowed * (BOX + GAP) - 1}
        x2={allowed * (BOX + GAP) - 1}
        y1={0}
        y2={HEIGHT}
      />
    </>
  );
}

function LongBar({ row: { allowed, unattended, refused } }: { row: Row }) {
  const width = MOST * (BOX + GAP) - GAP;
  const unit = width / (Math.max(allowed, unattended) + refused);
  const within = Math.min(allowed, unattended) * unit;
  return (
    <>
      <rect class="box free" x={1} y={3} width={width} height={BOX} rx={3} />
      <rect class="box used" x={1} y={3} width={within} height={BOX} rx={3} />
      {unattended > allowed ? (
        <rect class="box over" x={1 + within} y={3} width={(unattended - allowed) * unit} height={BOX} />
      ) : null}
      <line class="allowed" x1={1 + allowed * unit} x2={1 + allowed * unit} y1={0} y2={HEIGHT} />
    </>
  );
}
