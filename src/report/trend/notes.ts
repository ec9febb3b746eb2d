/** Notes for the reader of a trend: where its sessions differ, and what was left out. */
import { counted } from '../../spec/index.js';
import { isBank } from '../formats/lines.js';
import type { Answerer } from '../model.js';
import type { TrendSession } from './model.js';

/** Differences between the sessions that may look like changes of a TPP or a bank. */
export function notesOn(sessions: readonly TrendSession[], answerer: Answerer): string[] {
  const differing = (of: (session: TrendSession) => string): string[] => {
    const groups = new Map<string, number[]>();
    for (const [at, session] of sessions.entries())
      groups.set(of(session), [...(groups.get(of(session)) ?? []), at + 1]);
    if (groups.size < 2) return [];
    return [...groups].map(([value, numbers]) => `${value} (${runs(numbers)})`);
  };
  const notes: readonly (readonly [string, readonly string[]])[] = [
    [
      'The rules themselves changed between the sessions, so a finding may come or go with them. Catalogues',
      differing(({ catalogue }) => catalogue?.slice(0, 12) ?? 'not noted'),
    ],
    [
      'The sessions are of different banks or interfaces. Bank profiles',
      differing((one) => one.bankProfiles),
    ],
    ['The sessions were judged under different profiles', differing((one) => one.profiles)],
  ];
  const unreadable = sessions.reduce((sum, one) => sum + one.unreadable, 0);
  const standIns = sessions.flatMap(({ answerer }, at) => (isBank(answerer) ? [] : [at + 1]));
  return [
    ...(standIns.length === 0
      ? []
      : isBank(answerer)
        ? [`No bank answered in ${runs(standIns)}: what was answered there is not judged here.`]
        : ['No bank answered: an emulator or a replay says nothing of one.']),
    ...notes.flatMap(([text, groups]) => (groups.length === 0 ? [] : [`${text}: ${groups.join('; ')}.`])),
    ...(unreadable === 0 ? [] : [`${counted(unreadable, 'exchange')} could not be read.`]),
    'Verdicts are those that the store holds; its chains were not checked here (sandgate verify does).',
  ];
}

/** `sessions 1 to 3, 5` */
function runs(numbers: readonly number[]): string {
  const parts: (readonly [number, number])[] = [];
  for (const number of numbers) {
    const [from, to] = parts.at(-1) ?? [0, -1];
    if (number === to + 1) parts[parts.length - 1] = [from, number];
    else parts.push([number, number]);
  }
  const texts = parts.map(([from, to]) => (from === to ? String(from) : `${from} to ${to}`));
  return `${numbers.length === 1 ? 'session' : 'sessions'} ${texts.join(', ')}`;
}

export function limitsOf(leftOut: number, otherTpps: number): string[] {
  return [
    ...(leftOut === 0 ? [] : [`${counted(leftOut, 'older session was', 'older sessions were')} left out.`]),
    ...(otherTpps === 0 ? [] : ['More TPPs called than are listed; all of their calls are counted.']),
  ];
}
