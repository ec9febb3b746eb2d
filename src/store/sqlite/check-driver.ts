/** Whether the database driver is there; apart from it, whose types whoever uses the package has not. */
import { connect, MEMORY } from './driver.js';
import { storeFault } from './faults.js';

/** Throws a SandgateError about the store at a path where no file could be opened, because the driver cannot be loaded. */
export function checkDriver(path: string): void {
  try {
    connect(MEMORY, {}).close();
  } catch (error) {
    throw storeFault(error, path);
  }
}
