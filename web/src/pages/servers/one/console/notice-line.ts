import { formatBytes } from '../../../../ui/data/numbers.ts'
import { plainLine } from '../plain-line.ts'
import type { ConsoleNotice } from './session.ts'
import { t } from './words.ts'

const RED = '\u001b[31m'
const DIM = '\u001b[90m'
const PLAIN = '\u001b[0m'

/** One of our lines among the program's output; its text cannot control the terminal. */
export const ownLine = (text: string, colour: 'red' | 'dim' = 'dim'): string =>
  `\r\n${colour === 'red' ? RED : DIM}── ${plainLine(text)} ──${PLAIN}\r\n`

function exitText(notice: ConsoleNotice): string {
  const { reason } = notice
  const exited = howItExited(notice)
  return typeof reason === 'string' && reason !== '' ? t.exitedBecause({ exited, reason }) : exited
}

function howItExited({ code, signal, outOfMemory }: ConsoleNotice): string {
  if (typeof code === 'number')
    return outOfMemory === true ? t.exitedWithCodeForMemory({ code }) : t.exited({ code })
  return outOfMemory === true ? t.exitedForMemory : t.exitedBySignal({ signal: String(signal) })
}

/** A notice from the node as a line for the terminal; undefined for those shown elsewhere. */
export function noticeLine(notice: ConsoleNotice): string | undefined {
  if (notice.type === 'missed')
    return ownLine(t.skipped({ size: formatBytes(Number(notice.bytes)) }))
  if (notice.type === 'exit') return ownLine(exitText(notice), 'red')
  if (notice.type === 'notice') return ownLine(String(notice.text))
  return undefined
}
