import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { ownMounts } from '../../support/own-mounts.ts'
import { makeNetwork, type Network } from '../support/network.ts'

/**
 * A machine with libvirt's packages on which Lodge has never run: its own network, `/run` and
 * libvirt folders, with nothing in them that only a test would create.
 */
export interface FreshMachine extends AsyncDisposable {
  readonly network: Network
  readonly dataFolder: string
  /** Program and arguments that run `command` on the machine. */
  inside(command: readonly string[]): readonly [string, readonly string[]]
}

export async function freshMachine(): Promise<FreshMachine> {
  await using open = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-fresh-'))
  open.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  // Traversable like /var/lib.
  await chmod(folder, 0o755)
  const network = await makeNetwork()
  open.defer(() => network.remove())
  const [file, args] = network.inside([
    ...['unshare', '--uts'],
    ...ownMounts(
      process.execPath,
      fileURLToPath(new URL('./fresh-machine-holder.ts', import.meta.url)),
      folder,
    ),
  ])
  const holder = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  open.defer(async () => {
    holder.stdin.end()
    if (holder.exitCode === null) await once(holder, 'close')
  })
  const [ready] = await Promise.race([once(holder.stdout, 'data'), once(holder, 'close')])
  if (!String(ready).includes('ready')) throw new Error('the machine was not made')
  const kept = open.move()
  return {
    network,
    dataFolder: path.join(folder, 'lodge'),
    inside: (command) => [
      'nsenter',
      [
        ...['--target', String(holder.pid), '--mount', '--net', '--uts'],
        ...[`--wd=${process.cwd()}`, '--', ...command],
      ],
    ],
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
