/** What a bank does on other days: its habits, and what they and its operators make of accounts. */
export { shownId } from './draws.js';
export { CALM, HABITS, type HabitGroup, type Habits, MARKET } from './habits.js';
export { createHabitualPopulation } from './habitual-population.js';
