import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type GuardState, NOTHING_GUARDED } from './lease-watch.ts'
import { STATE } from './protocol.ts'

/** Below /run, so it survives the guard and not the machine; another boot ends every lease anyway. */
export interface StateFile {
  read(): GuardState
  write(state: GuardState): void
}

export function stateFile(folder: string): StateFile {
  const file = join(folder, STATE)
  const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  return {
    read() {
      try {
        const kept = JSON.parse(readFileSync(file, 'utf8'))
        return kept.bootId === bootId ? kept.state : NOTHING_GUARDED
      } catch {
        return NOTHING_GUARDED
      }
    },
    write(state) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeFileSync(`${file}.new`, JSON.stringify({ bootId, state }), { mode: 0o600 })
      renameSync(`${file}.new`, file)
    },
  }
}
