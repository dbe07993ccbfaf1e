import { t } from './words.ts'

/** Consecutive failed handshakes that count as blocked: a single one may be due to a restart. */
const TRIES = 3

let opened = false
let failures = 0

/** Records that a WebSocket of this tab was opened, so they are not blocked. */
export function gotThrough(): void {
  opened = true
}

/**
 * Explains that WebSockets are blocked, if none has been opened so far although the panel answers:
 * browsers do not tell why a handshake fails.
 */
export function whyBlocked(): string | undefined {
  failures += 1
  return opened || failures < TRIES ? undefined : t.blocked
}
