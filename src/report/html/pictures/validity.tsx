/** Draws the validity of a certificate, and the part of it in which it was used. */
import type { Report } from '../../model.js';
import { Picture } from '../parts.js';
import { day } from '../text.js';

type Certificate = Report['certificates']['list'][number];

const WIDTH = 780;
const LINE = 14;

export function Validity({ id, certificate }: { id: string; certificate: Certificate }) {
  const { notBefore, notAfter, first, last } = certificate;
  const ends = [notBefore, notAfter, first, last].map((iso) => Date.parse(iso));
  const from = Math.min(...ends);
  const whole = Math.max(...ends) - from || 1;
  const x = (iso: string) => 6 + ((Date.parse(iso) - from) / whole) * (WIDTH - 12);
  return (
    <Picture
      id={id}
      title="Validity and use"
      description={`Valid from ${day(notBefore)} to ${day(notAfter)}; used from ${day(first)} to ${day(last)}.`}
      width={WIDTH}
      height={44}
    >
      <line class="validity" x1={x(notBefore)} x2={x(notAfter)} y1={LINE} y2={LINE} />
      <rect
        class="mark"
        x={x(first) - 3}
        y={LINE - 7}
        width={Math.max(6, x(last) - x(first) + 6)}
        height={14}
        rx={3}
      />
      <text class="axis" x={x(notBefore)} y={38}>
        {day(notBefore)}
      </text>
      <text class="axis end" x={x(notAfter)} y={38}>
        {day(notAfter)}
      </text>
    </Picture>
  );
}
