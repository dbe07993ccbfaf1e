import { runProgram } from '@lodge/driver/run-program.ts'
import { z } from 'zod'
import { endAll, processesIn, programOf } from '../host/processes.ts'
import type { Settings } from '../options.ts'

const Links = z.array(z.object({ address: z.string().optional() }))

/**
 * Removes what remains of a network that libvirt considers inactive. A libvirt killed while
 * starting a network forgets its bridge and dnsmasq, and then keeps finding the network's addresses
 * in use. A bridge with guests, or with a hardware address other than the network's, belongs to
 * something else and is kept.
 * @param mac of the bridge, as libvirt chose it when the network was defined
 */
export async function clearLeftNetwork(
  { networkNamespace, log }: Settings,
  { name, bridge, mac }: { readonly name: string; readonly bridge: string; readonly mac: string },
): Promise<void> {
  const ip = (...args: string[]) =>
    networkNamespace === undefined
      ? runProgram('ip', args)
      : runProgram('nsenter', [`--net=${networkNamespace}`, '--', 'ip', ...args])
  const links = async (...which: string[]) => {
    const { code, output } = await ip('-json', 'link', 'show', ...which)
    return code === 0 ? Links.parse(JSON.parse(output || '[]')) : []
  }
  const [found] = await links('dev', bridge)
  if (found?.address !== mac || (await links('master', bridge)).length > 0) return
  log(`The bridge ${bridge} is a remnant of a network that did not start; recreating it`)
  const configuration = `/dnsmasq/${name}.conf\0`
  await endAll(() =>
    processesIn(networkNamespace, ({ pid, line }) =>
      programOf(line) === 'dnsmasq' && line.includes(configuration) ? pid : null,
    ),
  )
  await ip('link', 'delete', 'dev', bridge)
}
