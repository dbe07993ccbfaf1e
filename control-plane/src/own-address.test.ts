import { expect, test } from 'vitest'
import { isOfWorkloads } from './own-address.ts'

test('addresses of container and VM bridges are not taken for those of the node', () => {
  const bridges = ['docker0', 'br-1a2b', 'lodge3f', 'lg9145e77213', 'lgv506d7e', 'virbr0']
  expect(bridges.filter((name) => !isOfWorkloads(name))).toEqual([])
  expect(['eth0', 'enp3s0', 'lg0', 'lo', 'wg0'].filter(isOfWorkloads)).toEqual([])
})
