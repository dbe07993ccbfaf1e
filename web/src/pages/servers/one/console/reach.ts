import { t } from './words.ts'

/** Handshakes that fail in a row before it is called blocked: one may meet a restart. */
const TRIES = 3

let opened = false
let failures = 0

/** A WebSocket of this tab was opened: they get through. */
export function gotThrough(): void {
  opened = true
}

/**
 * Says that no WebSocket gets through, if none has so far although the panel answers: the browser does
 * not tell why a handshake fails.
 */
export function whyBlocked(): string | undefined {
  failures += 1
  return opened || failures < TRIES ? undefined : t.blocked
}
