import type { Server } from '@lodge/shared/servers.ts'
import { expect, test } from 'vitest'
import { cpuUse, diskUse, memoryUse } from './usage.ts'

const machine = (memoryOfNode: boolean): Server =>
  ({
    status: 'running',
    nodeOnline: true,
    memoryMb: 2048,
    usage: { memoryBytes: 1_073_741_824, memoryOfNode },
  }) as Server

test('memory counted by the node is not shown as if the guest had reported it', () => {
  expect(memoryUse(machine(false))).toMatchObject({ label: 'Memory', text: '1 GiB of 2 GiB' })
  expect(memoryUse(machine(false)).note).toBeUndefined()
  const counted = memoryUse(machine(true))
  expect(counted.label).toBe('Memory on the node')
  expect(counted.note).toContain('the guest does not report')
})

test('both figures of a metric have their unit, and one that is unknown or from a silent node is a dash', () => {
  const usage = { cpuPercent: 36.6, memoryBytes: 0, diskBytes: 1_610_612_736 }
  const server = {
    status: 'running',
    nodeOnline: true,
    memoryMb: 512,
    cpuPercent: 200,
    diskMb: 2048,
    usage,
  } as Server
  const texts = (one: Server) => [cpuUse, memoryUse, diskUse].map((use) => use(one).text)
  expect(texts(server)).toEqual(['37% of 200%', '0 B of 512 MiB', '1.5 GiB of 2 GiB'])
  expect(texts({ ...server, usage: null })).toEqual(['– of 200%', '– of 512 MiB', '– of 2 GiB'])
  const silent = texts({ ...server, nodeOnline: false })
  expect(silent).toEqual(['– of 200%', '– of 512 MiB', '1.5 GiB of 2 GiB'])
})
