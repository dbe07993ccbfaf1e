import { PortRange } from '@lodge/shared/nodes.ts'
import { expect, test } from 'vitest'
import { readRanges, writeRanges } from './port-ranges.ts'

test('ranges and single ports are parsed', () => {
  expect(readRanges('25000-25999, 30000;31000–31010')).toEqual([
    { from: 25000, to: 25999 },
    { from: 30000, to: 30000 },
    { from: 31000, to: 31010 },
  ])
})

test('formatted ranges can be parsed again', () => {
  const ranges = [
    { from: 25000, to: 25999 },
    { from: 30000, to: 30000 },
  ]
  expect(readRanges(writeRanges(ranges))).toEqual(ranges)
})

test.each(['abc', '25000-', '-5', '26000-25000', '25000-99999'])(
  'the schema refuses %s',
  (text) => {
    expect(readRanges(text).every((range) => PortRange.safeParse(range).success)).toBe(false)
  },
)
