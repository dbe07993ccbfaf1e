import { setImmediate as breath } from 'node:timers/promises'

/** One metric with all its series. */
export interface Family {
  readonly name: string
  readonly help: string
  readonly type: 'gauge' | 'counter' | 'histogram'
  /** Formatted lines without line breaks, or blocks of them. */
  readonly lines: Iterable<string> | AsyncIterable<string>
}

export type Labels = Readonly<Record<string, string>>

/** One series in the exposition format. */
export function series(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
  return pairs.length > 0 ? `${name}{${pairs.join(',')}} ${value}` : `${name} ${value}`
}

const escaped = (text: string): string =>
  /[\\"\n]/.test(text)
    ? text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
    : text

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
