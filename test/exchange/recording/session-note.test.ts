/** What a session notes beside its exchanges is of one kind each, and read as it was written. */
import { describe, expect, it } from 'vitest';
import { gatewayNotes, lastSettings, readNote, type SessionNote } from '../../../src/exchange/index.js';
import { NOW } from '../../builders.js';
import { readHar } from '../har/build-har.js';

const noted = (kind: string, settings: object) => readNote(NOW, kind, { ...settings });
const harOf = (...notes: readonly object[]) =>
  JSON.stringify({
    log: {
      entries: [],
      _sandgate: { format: 1, session: 's', segment: 'x', origins: [], notes, certificates: {} },
    },
  });

describe('a note', () => {
  it('keeps what nobody reads, in the order in which it was written', () => {
    const settings = { durability: 'power', stance: 'observe', profile: 'sandbox' };
    expect(JSON.stringify(noted('started', settings))).toBe(
      JSON.stringify([{ at: NOW, kind: 'started', settings }]),
    );
  });

  it('loses what is not what it should be, and nothing else', () => {
    const urls = { api: ['https://a', 'https://b'] };
    expect(noted('imported', { profile: 5, segment: null, stance: 'observe', urls })).toEqual([
      { at: NOW, kind: 'imported', settings: { stance: 'observe', urls } },
    ]);
  });

  it.each([
    ['mark', { text: 5 }],
    ['mark', {}],
    ['clock', { from: '2031-01-31T00:00:00.000Z', to: 'soon', mode: 'frozen', speed: '1' }],
    ['bank', { action: 'reset', by: {} }],
    ['shadow', { exchange: 'a', operation: 'b', differences: [{}] }],
    ['constructor', {}],
    ['created', {}],
  ])('of the kind %s is none where it says %j', (kind, settings) => {
    const read = noted(kind, settings);
    expect(read).toEqual(kind === 'bank' ? [{ at: NOW, kind, settings: { action: 'reset' } }] : []);
  });

  it('of a gateway that was set otherwise later tells both, and what holds in the end', () => {
    const notes: SessionNote[] = [
      { at: 1, kind: 'started', settings: { stance: 'observe', source: 'emulator' } },
      { at: 2, kind: 'mark', settings: { text: 'here' } },
      { at: 3, kind: 'changed', settings: { stance: 'enforce' } },
      { at: 4, kind: 'bank', settings: { action: 'reset', source: 'not a setting' } },
    ];
    expect(gatewayNotes(notes).map(({ at }) => at)).toEqual([1, 3]);
    expect(lastSettings(notes)).toEqual({ stance: 'enforce', source: 'emulator' });
  });

  it('in a file is refused with its place where it is not of its kind', () => {
    expect(readHar(harOf({ at: 1, kind: 'mark', settings: { text: 'x', by: 'me' } })).notes).toEqual([
      { at: 1, kind: 'mark', settings: { text: 'x', by: 'me' } },
    ]);
    const place = /log\._sandgate\.notes\[1\]\.settings\.text/;
    const started = { at: 1, kind: 'started', settings: {} };
    expect(() => readHar(harOf(started, { at: 1, kind: 'mark', settings: {} }))).toThrow(place);
    expect(() => readHar(harOf({ at: 1, kind: 'imported', settings: {} }))).toThrow(/notes\[0\]\.kind/);
  });
});
