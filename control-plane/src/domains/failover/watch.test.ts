import { LEASE_TIMES, takeoverDelayMs } from '@lodge/shared/leases/times.ts'
import { describe, expect, test } from 'vitest'
import type { WatchedNode } from '../nodes/index.ts'
import { Watch } from './watch.ts'

const node = (renewSeq: number): WatchedNode => ({
  ...{ id: 'one', name: 'one', epoch: 1, renewSeq, longestTtlMs: LEASE_TIMES.ttlMs },
  ...{ ttlRevision: 0, ttlMs: LEASE_TIMES.ttlMs },
  ...{ fenced: false, isTakeable: true },
})
const DELAY_MS = takeoverDelayMs(LEASE_TIMES, LEASE_TIMES.ttlMs)

describe('the watch of a coordinator', () => {
  test('measures how long a node has renewed nothing', () => {
    const watch = new Watch(LEASE_TIMES)
    for (let nowMs = 1_000; nowMs <= DELAY_MS; nowMs += 1_000) watch.look([node(1)], nowMs)
    expect(watch.isOver(node(1), DELAY_MS)).toBe(false)
    expect(watch.isOver(node(1), DELAY_MS + 1_000)).toBe(true)
    watch.look([node(2)], DELAY_MS + 1_000)
    expect(watch.isOver(node(2), DELAY_MS + 1_000)).toBe(false)
  })

  test('starts over after it was away itself', () => {
    const watch = new Watch(LEASE_TIMES)
    watch.look([node(1)], 1_000)
    const backMs = DELAY_MS + 60_000
    watch.look([node(1)], backMs)
    expect(watch.isOver(node(1), backMs)).toBe(false)
  })

  test('forgets longer leases once the last of them has ended, and no sooner', () => {
    const watch = new Watch(LEASE_TIMES)
    const longestTtlMs = 900_000
    const overMs = takeoverDelayMs(LEASE_TIMES, longestTtlMs)
    const look = (ttlRevision: number, nowMs: number) =>
      watch.look([{ ...node(nowMs), longestTtlMs, ttlRevision }], nowMs)
    for (let nowMs = 0; nowMs < overMs; nowMs += 10_000) look(1, nowMs)
    expect(watch.withoutLonger(overMs - 1)).toEqual([])
    expect(watch.withoutLonger(overMs)).toMatchObject([['one', { longestTtlMs, ttlRevision: 1 }]])
    // They were granted again meanwhile.
    look(2, overMs)
    expect(watch.withoutLonger(overMs)).toEqual([])
  })

  test('leaves silent nodes alone until nodes that return one by one have had their time', () => {
    const watch = new Watch(LEASE_TIMES)
    expect(watch.isStopped(true, 1_000)).toBe(true)
    expect(watch.isStopped(false, 1_000 + LEASE_TIMES.returnMs - 1)).toBe(true)
    expect(watch.isStopped(false, 1_000 + LEASE_TIMES.returnMs)).toBe(false)
  })
})
