import type { Duplex } from 'node:stream'

/** The graphical screen of a workload. */
export interface Screen {
  /** A connection to it (RFB 3.8, no security). Throws `not_running`, `unsupported` where it has none. */
  open(serverId: string, signal: AbortSignal): Promise<Duplex>
  /** The screen as it is now: PNG. Throws `not_running`, `unsupported`. */
  capture(serverId: string, signal: AbortSignal): Promise<Uint8Array>
}
