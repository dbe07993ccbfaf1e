import type { Duplex } from 'node:stream'

/** The graphical screen of a workload. */
export interface Screen {
  /**
   * Opens a connection to the screen (RFB 3.8, no security). Throws `not_running`, or `unsupported`
   * where there is none.
   */
  open(serverId: string, signal: AbortSignal): Promise<Duplex>
  /** Captures the current screen as PNG. Throws `not_running`, `unsupported`. */
  capture(serverId: string, signal: AbortSignal): Promise<Uint8Array>
}
