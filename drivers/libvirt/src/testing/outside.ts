import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type ProgramResult, runProgram } from '@lodge/driver/run-program.ts'
import type { TestNode } from './node.ts'

export const NODE_ADDRESS = '198.51.100.1'
export const OUTSIDE_ADDRESS = '198.51.100.2'

/** The network outside a node: a namespace connected to it by a veth pair. */
export interface Outside {
  /** Runs a program there to completion. */
  run(file: string, args: readonly string[], input?: string): Promise<ProgramResult>
  /** The namespace, as a path for `nsenter --net=`. */
  readonly networkNamespace: string
  close(): void
}

/** Creates one; the node's address is `NODE_ADDRESS`. */
export async function openOutside(node: TestNode): Promise<Outside> {
  // Prints once its namespace exists, and exits when its input is closed.
  const holder = spawn('unshare', ['--net', 'sh', '-c', 'echo there; exec cat'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  await once(holder.stdout, 'data')
  const space = `/proc/${holder.pid}/ns/net`
  const run: Outside['run'] = (file, args, input) =>
    runProgram(
      'nsenter',
      [`--net=${space}`, '--', file, ...args],
      input === undefined ? {} : { input },
    )
  const ip = async (where: string, ...args: string[]) => {
    const { code, output } = await runProgram('nsenter', [`--net=${where}`, 'ip', ...args])
    if (code !== 0) throw new Error(`ip ${args.join(' ')}: ${output}`)
  }
  const inside = node.networkNamespace
  try {
    const peer = ['type', 'veth', 'peer', 'name', 'away', 'netns', String(holder.pid)]
    await ip(inside, 'link', 'add', 'home', ...peer)
    for (const [where, link, address] of [
      [inside, 'home', NODE_ADDRESS],
      [space, 'away', OUTSIDE_ADDRESS],
    ] as const) {
      await ip(where, 'address', 'add', `${address}/24`, 'dev', link)
      await ip(where, 'link', 'set', link, 'up')
      await ip(where, 'link', 'set', 'lo', 'up')
    }
  } catch (error) {
    holder.kill('SIGKILL')
    throw error
  }
  return { run, networkNamespace: space, close: () => void holder.kill('SIGKILL') }
}
