/** Bindings of a rerun: which id, token or link of this run replaces which recorded one. */
import type { Recognise } from '../../spec/index.js';
import { createTranslation, type Translation } from './translate.js';

export interface Bindings extends Translation {
  /** The newest counts: a recorded value stands for what its last appearance stands for. */
  readonly learn: (recorded: string, now: string) => void;
  /** `recorded` is a path without query; `now` the whole address that stands in its place. */
  readonly learnLink: (recorded: string, now: string) => void;
  /** `recorded` is what stands before the path of the interface, `https://bank.example`. */
  readonly learnSite: (recorded: string, now: string) => void;
  readonly valueOf: (recorded: string) => string | undefined;
  /** The address that stands for a recorded path. */
  readonly linkOf: (path: string) => string | undefined;
  /** How many whole days the recording is old; dates move by them. */
  readonly setDays: (days: number) => void;
}

/** `recognise` knows the paths of the recording. */
export function createBindings(recognise: Recognise): Bindings {
  const values = new Map<string, string>();
  const links = new Map<string, string>();
  const sites = new Map<string, string>();
  let days = 0;

  return {
    ...createTranslation({ values, sites, days: () => days, recognise }),
    learn: (recorded, now) => {
      if (recorded !== '' && now !== '') values.set(recorded, now);
    },
    learnLink: (recorded, now) => links.set(recorded, now),
    learnSite: (recorded, now) => sites.set(recorded.toLowerCase(), now),
    valueOf: (recorded) => values.get(recorded),
    linkOf: (path) => links.get(path),
    setDays: (count) => {
      days = count;
    },
  };
}
