/** Whether a server whose disk was full has room again. */
import type { Connection } from './client.js';

/** Rows of a thousand bytes: as much as large batches take, in the data and in the log. */
const ROWS = 1_024;

/** Writes so much into a table of its own, and takes it back. @throws SandgateError where there is no room */
export async function takeRoom(connection: Connection, writer: number): Promise<void> {
  await connection.query('BEGIN', []);
  try {
    await connection.query(
      `CREATE TABLE room_${writer} AS SELECT repeat('x', 1000) FROM generate_series(1, ${ROWS})`,
    );
  } finally {
    if (!connection.isLost()) await connection.query('ROLLBACK', []);
  }
}
