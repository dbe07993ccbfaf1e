import type { Node } from '@lodge/shared/nodes.ts'
import { MIB } from '@lodge/shared/units.ts'
import { expect, test } from 'vitest'
import { capacitiesOf, markOf, marksInWords, overcommitOf, scaleOf, shareOf } from './capacity.ts'

const node = (given: Partial<Node>) =>
  ({
    memoryMb: 8192,
    cpuPercent: 400,
    diskMb: 1000,
    headroomMb: 192,
    followed: ['memoryMb', 'cpuPercent', 'diskMb', 'headroomMb'],
    detected: { memoryMb: 8192, cpuPercent: 400, diskMb: 1000 },
    allocated: { memoryMb: 2000, cpuPercent: 150, diskMb: 100, servers: 2 },
    usage: null,
    ...given,
  }) as Node

test('the system’s reserve is not available to servers', () => {
  const [memory] = capacitiesOf(node({}))
  expect(memory).toMatchObject({ limit: 8000 * MIB, allocated: 2000 * MIB, used: null, set: false })
})

test('cores are written as whole cores', () => {
  const cpu = capacitiesOf(node({}))[1]
  expect([100, 150, 3200, 250].map((percent) => cpu?.write(percent))).toEqual([
    '1 core',
    '1.5 cores',
    '32 cores',
    '2.5 cores',
  ])
})

test('a limit above what the machine has is an over-commitment', () => {
  const set = node({ cpuPercent: 800, followed: [] })
  const [, cpu] = capacitiesOf(set)
  if (!cpu) throw new Error('no processor')
  expect(cpu.set).toBe(true)
  expect(overcommitOf(cpu)).toBe(200)
  expect(scaleOf(cpu)).toBe(800)
  expect(markOf(cpu)).toBe(400)
  const [, as] = capacitiesOf(node({}))
  expect(as && overcommitOf(as)).toBeUndefined()
})

test('an unknown node has empty bars', () => {
  const unknown = node({
    memoryMb: 0,
    headroomMb: 0,
    detected: null,
    allocated: { memoryMb: 0, cpuPercent: 0, diskMb: 0, servers: 0 },
  })
  const [memory] = capacitiesOf(unknown)
  if (!memory) throw new Error('no memory')
  expect([memory.physical, scaleOf(memory), shareOf(0, scaleOf(memory))]).toEqual([null, 0, 0])
})

test('a sentence explains the marks on bars, if there are any', () => {
  const whole = { ...node({ headroomMb: 0 }), memoryMb: 8192 }
  const [memory, cpu] = capacitiesOf(whole)
  if (!memory || !cpu) throw new Error('no bars')
  expect(marksInWords([memory, cpu])).toBeUndefined()
  expect(marksInWords(capacitiesOf(node({})))).toMatch(/can be allocated to servers\.$/)
  const over = capacitiesOf(node({ cpuPercent: 800, headroomMb: 0, followed: [] }))
  expect(marksInWords(over)).toMatch(/the machine has\.$/)
})
