/** The trust layer: reads the EU's trusted lists, and says which of them are trusted. */
export { officialSigners, type Signers } from './official-journal.js';
export { MOST_LIST_BYTES, readList, TOO_LARGE } from './read-list.js';
export { chooseListOfLists, type FoundList, type TakenList, takeLists } from './take-lists.js';
