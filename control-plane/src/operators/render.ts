import { setImmediate as breath } from 'node:timers/promises'
import type { Family } from '../figures/family.ts'

const CHUNK_CHARACTERS = 65_536

/**
 * Writes families in the Prometheus text format in pieces, yielding between them so that a large
 * fleet's page does not block other requests.
 */
export async function* render(families: Iterable<Family>): AsyncGenerator<string> {
  let chunk = ''
  for (const { name, help, type, lines } of families) {
    let empty = true
    for await (const line of lines) {
      if (empty) chunk += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`
      empty = false
      chunk += `${line}\n`
      if (chunk.length < CHUNK_CHARACTERS) continue
      yield chunk
      chunk = ''
      await breath()
    }
  }
  if (chunk) yield chunk
}
