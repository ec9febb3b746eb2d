/** The events that a webhook may be told of. */

export const EVENT_TYPES = [
  'finding.must',
  'finding.should',
  'finding.note',
  'certificate.ending',
  'bank.down',
  'bank.up',
  'bank.drift',
  'store.failing',
  'store.recovered',
  'limit.reached',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export type EventData = Readonly<Record<string, string | number | null | readonly string[]>>;
export type Tell = (type: EventType, about: string, data: EventData) => void;
