import { existsSync } from 'node:fs'
import { runProgram } from '../../../drivers/contract/src/run-program.ts'

const SLOTS = 60

/** A separate network: its bridges, rules and ports cannot collide with others, and disappear with it. */
export interface Network {
  /** The namespace in /run/netns. */
  readonly name: string
  /** Addresses of this side and the other side of the only link. */
  readonly hostAddress: string
  readonly address: string
  /** Program and arguments that run `command` in there. The process keeps its pid. */
  inside(command: readonly string[]): readonly [string, readonly string[]]
  remove(): Promise<void>
}

async function ip(...args: string[]): Promise<void> {
  const { code, output } = await runProgram('ip', args)
  if (code !== 0) throw new Error(`ip ${args.join(' ')}: ${output.trim()}`)
}

/** Why none can be created on this machine, or null. */
export async function networkMissing(): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'a network namespace needs root'
  const { code } = await runProgram('ip', ['netns', 'list'])
  return code === 0 ? null : 'ip netns does not work here'
}

/** Creates a network namespace with one link to this side. */
export async function makeNetwork(): Promise<Network> {
  for (let slot = 0; slot < SLOTS; slot += 1) {
    const name = `ldgreal${slot}`
    if (existsSync(`/run/netns/${name}`)) continue
    // The first to create the namespace owns the slot.
    if ((await runProgram('ip', ['netns', 'add', name])).code !== 0) continue
    const [hostAddress, address] = [`10.99.${slot}.1`, `10.99.${slot}.2`]
    const remove = () => removeNetwork(name)
    try {
      await ip('link', 'add', `${name}h`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
      await ip('address', 'add', `${hostAddress}/30`, 'dev', `${name}h`)
      await ip('link', 'set', `${name}h`, 'up')
      await ip('-netns', name, 'address', 'add', `${address}/30`, 'dev', 'eth0')
      await ip('-netns', name, 'link', 'set', 'eth0', 'up')
      await ip('-netns', name, 'link', 'set', 'lo', 'up')
    } catch (error) {
      await remove()
      throw error
    }
    return {
      name,
      hostAddress,
      address,
      // Not `ip netns exec`: that hides the control groups, which Docker needs.
      inside: (command) => ['nsenter', [`--net=/run/netns/${name}`, '--', ...command]],
      remove,
    }
  }
  throw new Error('too many networks of tests')
}

export async function removeNetwork(name: string): Promise<void> {
  await runProgram('ip', ['link', 'delete', `${name}h`])
  await runProgram('ip', ['netns', 'delete', name])
}
