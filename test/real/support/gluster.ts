import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runProgram } from '../../../drivers/contract/src/run-program.ts'
import { ownMounts } from '../../support/own-mounts.ts'
import { makeNetwork, type Network, networkMissing } from './network.ts'

/**
 * A volume of GlusterFS, served from a network of its own, so that every mount goes through FUSE and
 * TCP.
 */
export interface Gluster extends AsyncDisposable {
  readonly network: Network
  /** Mounts the volume as a further client. */
  mount(at: string): Promise<void>
}

/** Why it cannot run on this machine, or null. */
export async function glusterMissing(): Promise<string | null> {
  const none = await networkMissing()
  if (none !== null) return none
  for (const name of ['glusterd', 'glusterfs', 'mount.glusterfs']) {
    const { code } = await runProgram('which', [name])
    if (code !== 0) return `there is no ${name} on this machine`
  }
  return null
}

/** @param folder the server's own folder, which is created, and removed with the server */
export async function startGluster(folder: string): Promise<Gluster> {
  await using open = new AsyncDisposableStack()
  await mkdir(folder, { recursive: true })
  open.defer(() => rm(folder, { recursive: true, force: true }))
  const network = await makeNetwork()
  open.defer(() => network.remove())
  const holder = fileURLToPath(new URL('./gluster-holder.ts', import.meta.url))
  const [file, args] = network.inside([
    'unshare',
    ...ownMounts(process.execPath, holder, folder, network.address),
  ])
  const server = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  open.defer(async () => {
    server.stdin.end()
    if (server.exitCode === null) await once(server, 'close')
  })
  await new Promise<void>((resolve, reject) => {
    let complaint = ''
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint += text
    })
    server.stdout.once('data', () => resolve())
    server.once('error', reject)
    server.once('close', () => reject(new Error(`no GlusterFS: ${complaint.slice(-1000)}`)))
  })
  const mounted: string[] = []
  open.defer(async () => {
    for (const at of mounted) await runProgram('umount', ['--lazy', at])
  })
  const owned = open.move()
  return {
    network,
    async mount(at) {
      const options = `log-file=${path.join(folder, `client-${mounted.length}.log`)}`
      const volume = `${network.address}:/fast`
      const { code, output } = await runProgram('mount', [
        ...['-t', 'glusterfs', '-o', options, volume, at],
      ])
      if (code !== 0) throw new Error(`mount ${volume}: ${output.trim()}`)
      mounted.push(at)
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
