import { appendFile, chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { runProgram } from '../../../drivers/contract/src/run-program.ts'
import type { TestNode } from '../../../drivers/libvirt/src/testing/node.ts'

const SFTP_SERVER = '/usr/lib/openssh/sftp-server'

/** A folder that test nodes mount by sshfs, each with a connection of its own that dies with the node. */
export interface FuseStorage extends AsyncDisposable {
  /** The folder on the server, bypassing every node. */
  readonly exported: string
  /** Mounts it on a node, again after a power cut. @returns the path there */
  mount(name: string, node: TestNode): Promise<string>
}

/** Why it cannot be created on this machine, or null. */
export async function fuseMissing(): Promise<string | null> {
  for (const [file, argument] of [
    ['sshfs', '--version'],
    ['fusermount3', '--version'],
    ['test', SFTP_SERVER],
  ] as const)
    if ((await runProgram(file, [argument])).code !== 0) return `there is no ${file} for a storage`
  return null
}

export async function fuseStorage(): Promise<FuseStorage> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'lodge-fuse-'))
  const exported = path.join(root, 'exported')
  await mkdir(path.join(exported, 'lodge'), { recursive: true })
  for (const folder of [root, exported, path.join(exported, 'lodge')]) await chmod(folder, 0o711)
  // sshfs connects to this like to a remote server.
  const server = path.join(root, 'server')
  await writeFile(server, `#!/bin/sh\nexec ${SFTP_SERVER} 2>/dev/null\n`, { mode: 0o755 })
  return {
    exported,
    async mount(name, node) {
      // Files created through sshfs belong to root, so TPMs have to run as root, too. It takes effect
      // with the next start of libvirt.
      await appendFile(path.join(node.folder, 'etc/qemu.conf'), 'swtpm_user = "root"\n')
      const at = path.join(root, name)
      await mkdir(at, { recursive: true })
      // Removes a mount whose other end has died.
      await node.run('umount', ['--lazy', at])
      // Like file systems designed for several nodes, it shows immediately how large a file has
      // become elsewhere.
      const uncached = 'dir_cache=no,attr_timeout=0,entry_timeout=0,negative_timeout=0'
      const options = `allow_other,default_permissions,${uncached}`
      const mounted = await node.run('sshfs', [
        ...[`far:${exported}`, at, '-o', options, '-o', `ssh_command=${server}`],
      ])
      if (mounted.code !== 0) throw new Error(`sshfs: ${mounted.output}`)
      return at
    },
    async [Symbol.asyncDispose]() {
      await rm(root, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}
