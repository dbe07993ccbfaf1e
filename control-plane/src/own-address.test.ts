import { expect, test } from 'vitest'
import { isOfWorkloads, outwardInterface } from './own-address.ts'

test('addresses of container and VM bridges are not taken for those of the node', () => {
  const bridges = ['docker0', 'br-1a2b', 'lodge3f', 'lg9145e77213', 'lgv506d7e', 'virbr0']
  expect(bridges.filter((name) => !isOfWorkloads(name))).toEqual([])
  expect(['eth0', 'enp3s0', 'lg0', 'lo', 'wg0'].filter(isOfWorkloads)).toEqual([])
})

test('of several interfaces the one that leads to the internet is taken', () => {
  const line = (name: string, destination: string, metric: number, mask: string) =>
    [name, destination, '01000A0A', '0003', '0', '0', metric, mask, '0', '0', '0'].join('\t')
  const head = 'Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT'
  const lan = line('lan0', '000010AC', 0, '0000FFFF')
  const table = (...lines: string[]) => [head, ...lines, ''].join('\n')
  expect(outwardInterface(table(lan, line('wan0', '00000000', 100, '00000000')))).toBe('wan0')
  const backup = line('wan1', '00000000', 200, '00000000')
  const main = line('wan0', '00000000', 100, '00000000')
  expect(outwardInterface(table(backup, lan, main))).toBe('wan0')
  // Half of the internet by a tunnel is no default route.
  expect(outwardInterface(table(lan, line('tun0', '00000000', 0, '00000080')))).toBeUndefined()
  expect(outwardInterface('')).toBeUndefined()
})
