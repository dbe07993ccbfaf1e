import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { openLog } from '../log.ts'

/** The log of a command: what runs well is said in sentences, not in lines of JSON. */
export const commandLog = ({ logLevel }: Pick<Config, 'logLevel'>): Logger =>
  openLog(logLevel === 'info' ? 'warn' : logLevel)

/** What a command says to whoever started it. */
export const tell = {
  line: (text: string): void => void process.stdout.write(`${text}\n`),
  /** Replaces the line before on a terminal; elsewhere it says nothing. */
  progress(text: string): void {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}\r`)
  },
}

export function sizeText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  let at = 0
  let amount = bytes
  while (amount >= 1024 && at < units.length - 1) {
    amount /= 1024
    at += 1
  }
  return `${amount < 10 && at > 0 ? amount.toFixed(1) : Math.round(amount)} ${units[at]}`
}
