import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { openLog } from '../log.ts'

/** A command's log, which starts at warnings: `tell` reports what goes well, in sentences. */
export const commandLog = ({ logLevel }: Pick<Config, 'logLevel'>): Logger =>
  openLog(logLevel === 'info' ? 'warn' : logLevel)

/** Output for the person who started the command. */
export const tell = {
  line: (text: string): void => void process.stdout.write(`${text}\n`),
  /** Replaces the last progress line on a terminal; does nothing elsewhere. */
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
