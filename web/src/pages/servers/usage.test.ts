import type { Server } from '@lodge/shared/servers.ts'
import { expect, test } from 'vitest'
import { memoryUse } from './usage.ts'

const machine = (memoryOfNode: boolean): Server =>
  ({
    status: 'running',
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
