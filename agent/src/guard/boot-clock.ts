import { uptime } from 'node:os'

/** Milliseconds since the machine booted, suspend included. Wall clocks may jump; this one does not. */
export const bootMs = (): number => Math.floor(uptime() * 1000)
