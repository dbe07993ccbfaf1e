import { readFile } from 'node:fs/promises'
import ipaddr from 'ipaddr.js'

export const RESOLVER_FILES: readonly string[] = [
  '/etc/resolv.conf',
  // The upstream servers behind the systemd-resolved stub in the first file.
  '/run/systemd/resolve/resolv.conf',
]

/**
 * The name servers of this machine, except those on its loopback. Workloads must be able to reach
 * them, because Docker forwards a container's queries from inside the container's network.
 */
export async function hostResolvers(files: readonly string[]): Promise<readonly string[]> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')))
  return [...new Set(texts.flatMap(nameServersIn))].sort()
}

/** The usable addresses in a `resolv.conf`. */
export function nameServersIn(text: string): string[] {
  return [...text.matchAll(/^\s*nameserver\s+(\S+)/gm)].flatMap(([, word = '']) => {
    // A scope such as `%eth0` is meaningful only on this machine.
    if (!ipaddr.isValid(word) || word.includes('%')) return []
    const address = ipaddr.process(word)
    return address.range() === 'loopback' ? [] : [address.toString()]
  })
}
