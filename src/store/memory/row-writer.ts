/** Writes rows into memory; what a transaction wrote can be taken back. */

import { certificateReference } from '../../exchange/index.js';
import type { EndRows, RowWriter } from '../driver.js';
import type { RecordTexts } from '../record-codec.js';
import { putFact, takeStep } from './layers.js';
import { type Memory, type MemoryRow, type MemorySession, sessionAt, tableOf } from './rows.js';
import { checkRests, moveOn } from './standings.js';

/** What a row occupies beside its texts, about. */
const ROW_BYTES = 1_024;

const bytesOf = ({ own, requestBody, answerBody }: RecordTexts): number =>
  ROW_BYTES + own.length + (requestBody?.text.length ?? 0) + (answerBody?.text.length ?? 0);

export function createRowWriter(memory: Memory, ends: EndRows): RowWriter {
  const { sessions, named, store } = memory;
  const undo: (() => void)[] = [];
  /** Of facts; done when all else is. */
  let changes: (() => void)[] = [];
  let commits = 0;

  function end(): void {
    undo.length = 0;
    changes = [];
  }

  return {
    begin: end,
    commit: () => {
      for (const change of changes) change();
      memory.commits += 1;
      commits += 1;
      end();
    },
    rollback: () => {
      for (const step of undo.reverse()) step();
      end();
    },
    version: () => memory.commits - commits,
    storeId: () => store,
    session: (name) => {
      const found = named.get(name);
      return found && [found.id, found.last, found.head, found.last_at];
    },
    createSession: (name, at) => {
      const id = ++memory.newestSession;
      const begun: MemorySession = {
        id,
        name,
        started_at: at,
        last_at: at,
        last: 0,
        head: '',
        exchanges: 0,
        begun: 0,
        rows: [],
        notes: [],
        certificates: new Map(),
      };
      sessions.set(id, begun);
      named.set(name, begun);
      undo.push(() => sessions.delete(id) && named.delete(name));
      return id;
    },
    writeEnd: ({ row, last, head, exchanges, begun, lastAt }) => {
      const session = sessionAt(memory, row);
      const was = { ...session };
      session.last = last;
      session.head = head;
      session.last_at = lastAt;
      session.exchanges += exchanges;
      session.begun += begun;
      undo.push(() => Object.assign(session, was));
    },
    writeNote: (row, seq, link, { at, kind, settings }) => {
      const { notes } = sessionAt(memory, row);
      notes.push({ seq, link, at, kind, settings });
      undo.push(() => notes.pop());
    },
    writeExchange: (id, session, seq, link, texts, { exchange: { call } }, isBegun) => {
      const table = tableOf(memory, isBegun);
      if (table.has(id)) return false;
      const { rows, certificates } = sessionAt(memory, session);
      if (typeof call.certificate !== 'string')
        certificates.set(certificateReference(call.certificate), call.certificate);
      const bytes = bytesOf(texts);
      const row: MemoryRow = {
        id,
        exchange: texts.id,
        session,
        seq,
        link,
        isBegun,
        texts: () => texts,
        bytes,
      };
      rows.push(row);
      table.set(id, row);
      memory.bytes += bytes;
      undo.push(() => {
        rows.pop();
        table.delete(id);
        memory.bytes -= bytes;
      });
      return true;
    },
    isTaken: (id, isBegun) => tableOf(memory, isBegun).has(id),
    writeFact: (world, change, isFollowed) => changes.push(() => putFact(memory, world, change, isFollowed)),
    writeStep: (world, step) => changes.push(() => takeStep(memory, world, step)),
    checkRests: (rests) => checkRests(memory, rests),
    moveOn: (move) => changes.push(() => moveOn(memory, move)),
    touch: () => undefined,
    forget: () => undefined,
    ends,
  };
}
