import { expect, it } from 'vitest';
import { postgresStore } from '../../postgres/schemas.js';
import { all } from '../../rows.js';
import { recordSource } from '../stores.js';

it('a page of PostgreSQL rows is read whole, however long the texts are that its rows share', async () => {
  const store = await postgresStore();
  const record = recordSource();
  const bodies = Array.from({ length: 10 }, (_, i) =>
    JSON.stringify({ number: i, long: 'x'.repeat(1_000_000) }),
  );
  const records = [...bodies, ...bodies, ...bodies].map((text) =>
    record({ answer: { body: { text, size: text.length } } }),
  );
  for (const one of records) await store.append({ records: [one], changes: [] });
  const read = await all(store.read('test'));
  expect(read.map(({ exchange }) => exchange.answer?.body?.text?.slice(0, 20))).toEqual(
    records.map(({ exchange }) => exchange.answer?.body?.text?.slice(0, 20)),
  );
});
