import { runProgram } from '../../../drivers/contract/src/run-program.ts'
import type { Network } from './network.ts'

/**
 * A direct link between two networks, for their existing addresses.
 * @param device its name in both
 */
export async function wire(one: Network, other: Network, device = 'eth1'): Promise<void> {
  const ip = async (...args: string[]) => {
    const { code, output } = await runProgram('ip', args)
    if (code !== 0) throw new Error(`ip ${args.join(' ')}: ${output}`)
  }
  const peer = ['type', 'veth', 'peer', 'name', device, 'netns', other.name]
  await ip('-netns', one.name, 'link', 'add', device, ...peer)
  for (const [here, there] of [
    [one, other],
    [other, one],
  ] as const) {
    await ip('-netns', here.name, 'link', 'set', device, 'up')
    const route = [`${there.address}/32`, 'dev', device, 'src', here.address]
    await ip('-netns', here.name, 'route', 'add', ...route)
  }
}
