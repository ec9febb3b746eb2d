/** Leaves out exchanges whose content was erased, or cannot be read without its key. */
import type { Stage } from '../exchange/index.js';
import type { RecordedExchange } from './recorded.js';

export const withContent = (
  onLeftOut: (exchange: string) => void = () => {},
): Stage<RecordedExchange, RecordedExchange> => ({
  take: (record) => {
    if (record.exchange.withheld === undefined) return [record];
    onLeftOut(record.exchange.call.id);
    return [];
  },
  close: () => [],
});
