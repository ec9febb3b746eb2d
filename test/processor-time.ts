/** Time of the processor, in ms: unlike that of a clock, it passes no faster where a machine has other work to do. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
