/** Looks an exchange up by its id. */
import { SandgateError } from '../../spec/index.js';
import type { RecordedExchange } from '../../store/index.js';
import type { ExchangesPort } from './port.js';

/** @throws SandgateError where there is none */
export async function recordOf(
  { store }: Pick<ExchangesPort, 'store'>,
  id: string,
): Promise<RecordedExchange> {
  const record = await store.find(id);
  if (record === null)
    throw new SandgateError('exchange.unknown', { where: 'The store', id: id.slice(0, 100) });
  return record;
}
