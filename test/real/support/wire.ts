import { runProgram } from '../../../drivers/contract/src/run-program.ts'
import type { Network } from './network.ts'

/** A direct link between two networks, for their existing addresses. */
export async function wire(one: Network, other: Network): Promise<void> {
  const ip = async (...args: string[]) => {
    const { code, output } = await runProgram('ip', args)
    if (code !== 0) throw new Error(`ip ${args.join(' ')}: ${output}`)
  }
  const peer = ['type', 'veth', 'peer', 'name', 'eth1', 'netns', other.name]
  await ip('-netns', one.name, 'link', 'add', 'eth1', ...peer)
  for (const [here, there] of [
    [one, other],
    [other, one],
  ] as const) {
    await ip('-netns', here.name, 'link', 'set', 'eth1', 'up')
    const route = [`${there.address}/32`, 'dev', 'eth1', 'src', here.address]
    await ip('-netns', here.name, 'route', 'add', ...route)
  }
}
