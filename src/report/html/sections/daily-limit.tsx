/** Accesses per consent, operation and account against the daily allowance. */
import type { Report } from '../../model.js';
import { Nothing, Omitted, Picture, Recorded, Section } from '../parts.js';
import { Table } from '../table.js';
import { counted, grouped, groupedOrNone } from '../text.js';

type DailyLimit = Report['dailyLimit'];

export function DailyLimitSection({ dailyLimit }: { dailyLimit: DailyLimit }) {
  const { rows, window, omitted, days } = dailyLimit;
  const highest = days.reduce((most, day) => (day.most > most.most ? day : most), { day: '', most: 0 });
  const over = rows.filter((row) => row.over > 0 || row.refused > 0).length;
  return (
    <Section
      id="daily-limit"
      title="Daily limit"
      lead={`Accesses without the PSU are limited for each consent, operation and account; the window: ${window}. ${
        rows.length === 0
          ? ''
          : over === 0
            ? 'The limit was kept everywhere.'
            : `The limit was exceeded, or a call was refused for it, in ${over} of ${counted(rows.length + omitted, 'row')}.`
      }${highest.most === 0 ? '' : ` Highest number on a day: ${highest.most}, on ${highest.day}.`}`}
    >
      {rows.length === 0 ? (
        <Nothing>No account information was accessed.</Nothing>
      ) : (
        <LimitTable rows={rows} />
      )}
      <Omitted count={omitted} what="row" />
    </Section>
  );
}

function LimitTable({ rows }: { rows: DailyLimit['rows'] }) {
  const several = new Set(rows.map(({ tpp }) => tpp)).size > 1;
  return (
    <Table
      label="Accesses against the limit"
      caption="Accesses against the limit: filled box, used; crossed box, refused; box with a mark behind the line, given above the limit"
      rows={rows}
      columns={[
        ['Consent', ({ consent }) => <Recorded text={consent} />, 'head'],
        several && ['TPP', ({ tpp }) => <Recorded text={tpp} />],
        [
          'Operation, account',
          ({ operation, account }) => (
            <>
              {operation}
              {account === null ? null : <br />}
              {account === null ? null : <Recorded text={account} />}
            </>
          ),
        ],
        ['Day', ({ day }) => day, 'day'],
        ['Without the PSU', (row, i) => <LimitBar id={`limit-${i}`} row={row} />],
        [
          'Used',
          ({ unattended, allowed, over }) => (
            <>
              {grouped(unattended)} of {allowed}
              {over > 0 ? <strong class="over">, {over} over</strong> : null}
            </>
          ),
          'num',
        ],
        ['Refused', ({ refused }) => groupedOrNone(refused), 'num'],
        ['With the PSU', ({ attended }) => groupedOrNone(attended), 'num'],
      ]}
    />
  );
}

type Row = Report['dailyLimit']['rows'][number];

const BOX = 16;
const GAP = 4;
const HEIGHT = 22;
/** More boxes could not be told apart: from here on, one long bar. */
const MOST = 12;

function LimitBar({ id, row }: { id: string; row: Row }) {
  const { allowed, unattended, over, refused } = row;
  const boxes = Math.max(allowed, unattended) + refused;
  const counts = [
    `${unattended} of ${counted(allowed, 'access', 'accesses')} used`,
    ...(over > 0 ? [`${over} over`] : []),
    ...(refused > 0 ? [`${refused} refused`] : []),
  ].join(', ');
  return (
    <Picture
      id={id}
      title="Accesses without the PSU"
      description={`${counts}.`}
      width={Math.min(boxes, MOST) * (BOX + GAP) + GAP}
      height={HEIGHT}
      isFixed
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
