import { readFile } from 'node:fs/promises'
import ipaddr from 'ipaddr.js'

export const RESOLVER_FILES: readonly string[] = [
  '/etc/resolv.conf',
  // Behind the local name server that systemd puts into the first one.
  '/run/systemd/resolve/resolv.conf',
]

/**
 * The name servers that this machine uses, without those on its own loopback. Workloads must be able to
 * ask them: the engine sends the questions of a container from inside that container.
 */
export async function hostResolvers(files: readonly string[]): Promise<readonly string[]> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')))
  return [...new Set(texts.flatMap(nameServersIn))].sort()
}

/** The usable addresses in the text of a `resolv.conf`. */
export function nameServersIn(text: string): string[] {
  return [...text.matchAll(/^\s*nameserver\s+(\S+)/gm)].flatMap(([, word = '']) => {
    // A scope such as `%eth0` belongs to this machine alone.
    if (!ipaddr.isValid(word) || word.includes('%')) return []
    const address = ipaddr.process(word)
    return address.range() === 'loopback' ? [] : [address.toString()]
  })
}
