/**
 * The text console of a workload: the standard streams of a container or the serial line of a
 * virtual machine.
 */
export interface Console {
  /**
   * Follows the output of the current and any future run until aborted. The driver drains the
   * workload at full speed and passes chunks on without waiting: `onOutput` must return at once.
   */
  follow(
    serverId: string,
    onOutput: (chunk: Uint8Array) => void,
    signal: AbortSignal,
  ): Promise<void>
  /** Writes to the workload's input. Throws `DriverError` `not_running` when nothing runs. */
  write(serverId: string, bytes: Uint8Array): Promise<void>
  /**
   * The newest stored lines, available after the workload's exit as well.
   * @param since omits older lines, where the runtime records timestamps
   */
  tail(
    serverId: string,
    lines: number,
    source: 'run' | 'install',
    since?: Date,
  ): Promise<readonly string[]>
}
