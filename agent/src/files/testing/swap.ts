import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A hostile server: swaps a folder for a link that leads out, as fast as it can, until it is killed
 * or alone.
 * Arguments: the data folder, and where the link leads.
 */
const [data = '', outside = ''] = process.argv.slice(2)
const at = (name: string) => join(data, name)

function renew(): void {
  for (const name of ['swap', 'door', 'aside']) rmSync(at(name), { recursive: true, force: true })
  mkdirSync(at('swap/victim'), { recursive: true })
  writeFileSync(at('swap/secret'), 'mine')
  writeFileSync(at('swap/victim/file'), 'mine')
  symlinkSync(outside, at('door'))
}

const parent = process.ppid
while (process.ppid === parent) {
  try {
    renew()
    for (let turn = 0; turn < 2_000; turn += 1) {
      renameSync(at('swap'), at('aside'))
      renameSync(at('door'), at('swap'))
      renameSync(at('swap'), at('door'))
      renameSync(at('aside'), at('swap'))
    }
  } catch {
    // The file service moved or deleted one of them: begin again.
  }
}
