/** The text console of a workload: standard streams of a container, serial line of a virtual machine. */
export interface Console {
  /**
   * Follows the output of the workload, present or future, until aborted. The driver drains the
   * workload at full speed and hands over chunks without waiting: `onOutput` must return at once.
   */
  follow(
    serverId: string,
    onOutput: (chunk: Uint8Array) => void,
    signal: AbortSignal,
  ): Promise<void>
  /** Writes to the input of the workload. Throws `DriverError` `not_running` when nothing runs. */
  write(serverId: string, bytes: Uint8Array): Promise<void>
  /**
   * The newest lines that are kept, also after the end.
   * @param since leaves older lines out, where the runtime notes when each was said
   */
  tail(
    serverId: string,
    lines: number,
    source: 'run' | 'install',
    since?: Date,
  ): Promise<readonly string[]>
}
