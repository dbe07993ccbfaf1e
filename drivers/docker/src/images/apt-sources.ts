import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const FALLBACK = 'http://deb.debian.org/debian'

/**
 * The machine's own package sources for the suite, as lines of a `sources.list`. Sources of other
 * suites or vendors are left out: only Debian's own key is trusted.
 */
export async function aptSources(suite: string, folder = '/etc/apt'): Promise<readonly string[]> {
  const parts = await readdir(join(folder, 'sources.list.d')).catch(() => [])
  const files = ['sources.list', ...parts.map((name) => join('sources.list.d', name))]
  const found = new Set<string>()
  for (const name of files) {
    const text = await readFile(join(folder, name), 'utf8').catch(() => '')
    const entries = name.endsWith('.sources')
      ? deb822(text)
      : name.endsWith('.list')
        ? oneLine(text)
        : []
    for (const entry of entries) {
      if (!isSuiteOf(entry.suite, suite) || !entry.components.includes('main')) continue
      found.add(`deb ${entry.uri} ${entry.suite} main`)
    }
  }
  if (![...found].some((line) => line.endsWith(` ${suite} main`)))
    found.add(`deb ${FALLBACK} ${suite} main`)
  return [...found]
}

interface Entry {
  readonly uri: string
  readonly suite: string
  readonly components: readonly string[]
}

function isSuiteOf(name: string, suite: string): boolean {
  return [suite, `${suite}-updates`, `${suite}-security`].includes(name)
}

function oneLine(text: string): Entry[] {
  return text.split('\n').flatMap((line) => {
    const match = /^\s*deb\s+(?:\[[^\]]*\]\s+)?(\S+)\s+(\S+)\s+(.+?)\s*$/.exec(line)
    const [, uri, suite, components] = match ?? []
    return uri && suite && components ? [{ uri, suite, components: components.split(/\s+/) }] : []
  })
}

function deb822(text: string): Entry[] {
  const lines = text.split('\n').filter((line) => !line.startsWith('#'))
  return lines
    .join('\n')
    .split(/\n\s*\n/)
    .flatMap((paragraph) => {
      const field = (name: string) =>
        (new RegExp(`^${name}:(.*(?:\\n[ \\t].*)*)`, 'im').exec(paragraph)?.[1] ?? '')
          .split(/\s+/)
          .filter(Boolean)
      if (!field('Types').includes('deb') || field('Enabled')[0] === 'no') return []
      const components = field('Components')
      return field('URIs').flatMap((uri) =>
        field('Suites').map((suite) => ({ uri, suite, components })),
      )
    })
}
