import { formatBytes } from '@lodge/shared/units.ts'
import { plainLine } from '../plain-line.ts'
import type { ConsoleNotice } from './session.ts'

const RED = '\u001b[31m'
const DIM = '\u001b[90m'
const PLAIN = '\u001b[0m'

/** One of our lines among the program's output; its text cannot control the terminal. */
export const ownLine = (text: string, colour: 'red' | 'dim' = 'dim'): string =>
  `\r\n${colour === 'red' ? RED : DIM}── ${plainLine(text)} ──${PLAIN}\r\n`

function exitText(notice: ConsoleNotice): string {
  const status = typeof notice.code === 'number' ? `with code ${notice.code}` : ''
  const how =
    notice.outOfMemory === true
      ? `${status} (out of memory)`.trim()
      : status || `by signal ${String(notice.signal)}`
  const reason =
    typeof notice.reason === 'string' && notice.reason !== '' ? `: ${notice.reason}` : ''
  return `Exited ${how}${reason}`
}

/** A notice from the node as a line for the terminal; undefined for those shown elsewhere. */
export function noticeLine(notice: ConsoleNotice): string | undefined {
  if (notice.type === 'missed')
    return ownLine(`${formatBytes(Number(notice.bytes))} of output skipped`)
  if (notice.type === 'exit') return ownLine(exitText(notice), 'red')
  if (notice.type === 'notice') return ownLine(String(notice.text))
  return undefined
}
