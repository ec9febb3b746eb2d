/** Writes a cassette so that a second recording of the same journey has the same bytes: names and times by their order. */
import { hash } from 'node:crypto';
import { DAY_MS, dateAt, isDate } from '../../spec/index.js';
import type { CassetteExchange } from '../cassette/cassette-schema.js';
import { type CassetteFile, lifeAt, readFile } from './recorded-again.js';
import { stillSealed } from './still-sealed.js';
import { DATED, isFixed, isWait, NAME } from './texts.js';

/** A Monday noon, so that the days of a journey begin where they began; as far as any other from what is real. */
const START = Date.UTC(2026, 0, 5, 12);
const SESSION = 'journey';
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
/** Dates further away are days of the calendar, like birthdays, and not of the journey. */
const FARTHEST_DAYS = 1_100;

/** A moment by the clock that all is judged by, in epoch ms: recorded, and as it is written. */
interface Moment {
  readonly was: number;
  readonly is: number;
}

/** @param text a cassette of this version, whole; it stays one, and can be replayed and imported */
export function stableCassette(text: string): string {
  const file = readFile(text);
  if (file?.recorded === undefined) return text;
  const start = Date.parse(file.recorded);
  const { times, moments } = orderTimes(file.exchanges, start);
  const write = createWriter(start, portsOf(file));
  const exchanges = file.exchanges.map((one, i) => {
    const {
      steps,
      crossed,
      at: _,
      moved: __,
      firstByte: ___,
      ...rest
    } = stillSealed(one, write(one, moments[i] as Moment) as CassetteExchange);
    const before = {
      ...(steps === undefined ? {} : { steps }),
      ...(crossed === undefined ? {} : { crossed }),
    };
    return { ...before, ...times[i], ...rest, took: 0, bankTook: 0 };
  });
  const certificates = Object.fromEntries(
    Object.entries(file.certificates).map(([name, facts], i) => [name, stableFacts(facts, i + 1, moments)]),
  );
  const { ahead: _, ...head } = JSON.parse(text);
  const recorded = new Date(START).toISOString();
  return `${JSON.stringify({ ...head, session: SESSION, recorded, exchanges, certificates }, null, 2)}\n`;
}

/** Waits count in whole minutes; moves of the clock too, and shorter ones in seconds. */
function orderTimes(exchanges: readonly CassetteExchange[], start: number) {
  const times: { readonly at: number; readonly moved?: number }[] = [];
  const moments: Moment[] = [];
  let [at, moved] = [-1, 0];
  let before = { at: 0, moved: 0 };
  for (const exchange of exchanges) {
    const now = { at: exchange.at, moved: exchange.moved ?? 0 };
    at += 1 + whole(now.at - before.at, MINUTE_MS);
    const move = now.moved - before.moved;
    if (Math.abs(move) >= SECOND_MS) moved += whole(move, Math.abs(move) < MINUTE_MS ? SECOND_MS : MINUTE_MS);
    times.push({ at, ...(moved === 0 ? {} : { moved }) });
    moments.push({ was: start + now.at + now.moved, is: START + at + moved });
    before = now;
  }
  return { times, moments };
}

const whole = (ms: number, unit: number): number => Math.round(ms / unit) * unit;

const portsOf = ({ origins = {} }: CassetteFile): ReadonlySet<string> =>
  new Set(Object.values(origins).flatMap((origin) => [origin].flat().map((one) => new URL(one).port)));

function createWriter(start: number, ports: ReadonlySet<string>) {
  const names = new Map<string, string>();
  const times = new Map<string, string>();
  const rename = (name: string, at: number, text: string): string => {
    const isPort = text.endsWith(':', at) || text.endsWith('%3A', at);
    if (isFixed(name) || ports.has(name) || (!isPort && isWeak(name))) return name;
    const known = names.get(name);
    if (known !== undefined) return known;
    const made = nameLike(name, names.size + 1);
    names.set(name, made);
    return made;
  };
  const days = Math.floor(START / DAY_MS) - Math.floor(start / DAY_MS);
  const move = (found: string, moment: Moment): string => {
    const date = found.slice(0, 10);
    if (!isDate(date) || Math.abs(Date.parse(date) - start) > FARTHEST_DAYS * DAY_MS) return found;
    const known = times.get(found);
    if (known !== undefined) return known;
    const isNow = found.length > 10 && Math.abs(Date.parse(found) - moment.was) < MINUTE_MS;
    const moved = isNow
      ? timeLike(found, moment.is)
      : dateAt(Date.parse(date) + days * DAY_MS) + found.slice(10);
    times.set(found, moved);
    return moved;
  };
  const dated = new RegExp(DATED, 'g');
  const write = (value: unknown, moment: Moment): unknown => {
    if (typeof value === 'string')
      return value.replace(NAME, rename).replace(dated, (found) => move(found, moment));
    if (Array.isArray(value)) return value.map((entry) => write(entry, moment));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        isWait(name, inner) ? String(MINUTE_MS / SECOND_MS) : write(inner, moment),
      ]),
    );
  };
  return write;
}

/** Guessed rather than random: what rules find in it must stay. */
const isWeak = (name: string): boolean => new Set(name.replaceAll('-', '')).size < 3 || name.length < 16;

const FIRST_PORT = 40_000;

function nameLike(name: string, n: number): string {
  if (/^\d{4,5}$/.test(name)) return String(FIRST_PORT + n);
  const hex = hash('sha256', `name ${n}`, 'hex');
  if (/^[0-9a-f]{8}-/.test(name) && name.length === 36)
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  if (/^[0-9a-f]+$/.test(name)) return hex.repeat(Math.ceil(name.length / hex.length)).slice(0, name.length);
  const random = hash('sha256', `name ${n}`, 'base64url');
  const [prefix, length] = name.startsWith('fp_') ? ['fp_', name.length - 3] : ['', name.length];
  return prefix + random.repeat(Math.ceil(length / random.length)).slice(0, length);
}

function timeLike(found: string, at: number): string {
  const [, seconds = '', fraction = '', zone = ''] = /T\d\d:\d\d(:\d\d)?(\.\d+)?(.*)$/.exec(found) ?? [];
  const [, sign = '', hours = 0, minutes = 0] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  const away = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS * (sign === '-' ? -1 : 1);
  const iso = new Date(at + away).toISOString();
  const rest =
    fraction === '' ? '' : iso.slice(19, 23).padEnd(fraction.length, '0').slice(0, fraction.length);
  return iso.slice(0, 16) + (seconds === '' ? '' : iso.slice(16, 19)) + rest + zone;
}

type Facts = CassetteFile['certificates'][string];

function stableFacts(facts: Facts, n: number, moments: readonly Moment[]): Facts {
  const [from, to] = [Date.parse(facts.notBefore), Date.parse(facts.notAfter)];
  const length = whole(to - from, DAY_MS);
  const life = lifeAt(facts, moments[0]?.was ?? from);
  const begin = START - { early: -DAY_MS, valid: whole(length / 2, DAY_MS), expired: length + DAY_MS }[life];
  const made: Facts = {
    ...facts,
    fingerprint256: hash('sha256', `certificate ${n}`, 'hex'),
    serialNumber: n.toString(16).padStart(2, '0'),
    notBefore: new Date(begin).toISOString(),
    notAfter: new Date(begin + length).toISOString(),
  };
  const isAlike = moments.every(({ was, is }) => lifeAt(facts, was) === lifeAt(made, is));
  if (isAlike) return made;
  const moved = (at: number) =>
    new Date(START + whole(at - (moments[0]?.was ?? at), MINUTE_MS)).toISOString();
  return { ...made, notBefore: moved(from), notAfter: moved(to) };
}
