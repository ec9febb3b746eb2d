/** The faults of a test's gateway. */
import type { Sandgate } from '../app/index.js';
import type { TestFaults } from './types.js';

export function testFaultsOf(faults: Sandgate['faults']): TestFaults {
  let added = 0;
  return {
    list: faults.list,
    add: async (fault) => {
      const { id = `fault-${++added}` } = fault;
      await faults.add({ ...fault, id });
      return id;
    },
    remove: async (id) => {
      await faults.remove(id);
    },
    clear: async () => {
      await faults.clear();
    },
  };
}
