/** Parses entries of a HAR. */
import { isObject } from '../members.js';
import { createTextMemory, type TextMemory } from '../text-memory.js';

/** Without the quote in front, which is frequent: a search jumps from one first character to the next. */
const OURS = '_sandgate":{';
const MEMBER = '"verdicts":{';

/**
 * As JSON.parse. Two thirds of an entry of ours are its verdicts, a word for each rule, and those of like calls are the
 * same: equal ones are parsed once, and the entries share them.
 */
export function createEntryParser(): (text: string) => unknown {
  const parseVerdicts = createTextMemory((text): unknown => JSON.parse(text));
  return (text) => {
    const ours = text.indexOf(OURS);
    const name = ours < 0 ? -1 : text.indexOf(MEMBER, ours);
    // Behind a backslash it is a part of a text.
    if (name < 0 || text[name - 1] === '\\') return JSON.parse(text);
    const from = name + MEMBER.length - 1;
    const to = text.indexOf('}', from) + 1;
    const verdicts = parsedOrNull(parseVerdicts, text.slice(from, to));
    if (verdicts === null) return JSON.parse(text);
    const entry = JSON.parse(`${text.slice(0, from)}0${text.slice(to)}`);
    const note = isObject(entry) ? entry._sandgate : undefined;
    if (!isObject(note) || note.verdicts !== 0) return JSON.parse(text);
    Object.assign(note, { verdicts });
    return entry;
  };
}

/** null: it does not end at its first brace. */
function parsedOrNull(parse: TextMemory<unknown>, text: string): unknown {
  try {
    return parse(text);
  } catch {
    return null;
  }
}
