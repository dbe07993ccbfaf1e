import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { domainName } from '../data/layout.ts'
import type { Settings } from '../options.ts'

/** Removes the logs of libvirt and swtpm about a removed machine, including rotated ones. */
export async function removeLogs(
  { logFolders, scope }: Pick<Settings, 'logFolders' | 'scope'>,
  serverId: string,
): Promise<void> {
  const name = domainName(scope, serverId)
  for (const folder of logFolders) {
    const names = await readdir(folder).catch((): string[] => [])
    const own = names.filter((file) => {
      const rest = file.startsWith(name) ? file.slice(name.length) : ''
      return /^(-swtpm)?\.log(\.\d+)?$/.test(rest)
    })
    for (const file of own) await rm(join(folder, file), { force: true })
  }
}
