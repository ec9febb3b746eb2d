/** A server-sent event, as text. */
type EventName = 'exchange' | 'journey' | 'alert' | 'settings';

export const frame = (event: EventName, data: object, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
