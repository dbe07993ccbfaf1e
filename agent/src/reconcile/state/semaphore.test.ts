import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Semaphore } from './semaphore.ts'

const open = () => new AbortController().signal

describe('a semaphore', () => {
  it('never exceeds its places, whichever callers wait, leave or give up', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.record({ gaveUp: fc.boolean(), turns: fc.integer({ min: 0, max: 3 }) }), {
          maxLength: 20,
        }),
        async (places, work) => {
          const semaphore = new Semaphore(places)
          let inside = 0
          let most = 0
          let finished = 0
          await Promise.all(
            work.map(async ({ gaveUp, turns }) => {
              const abort = new AbortController()
              const entering = semaphore.enter(abort.signal).catch(() => null)
              if (gaveUp) abort.abort(new Error('gave up'))
              const leave = await entering
              finished += 1
              if (!leave) return
              inside += 1
              most = Math.max(most, inside)
              for (let turned = 0; turned < turns; turned += 1) await turn()
              inside -= 1
              leave()
              leave()
            }),
          )
          expect(most).toBeLessThanOrEqual(places)
          expect(finished).toBe(work.length)
          expect(semaphore.waiting).toBe(0)
          for (let free = 0; free < places; free += 1) await semaphore.enter(open())
        },
      ),
    )
  })

  it('admits the longest waiting caller first', async () => {
    const semaphore = new Semaphore(1)
    const leave = await semaphore.enter(open())
    const order: number[] = []
    const waiting = [1, 2, 3].map(async (number) => {
      const left = await semaphore.enter(open())
      order.push(number)
      left()
    })
    leave()
    await Promise.all(waiting)
    expect(order).toEqual([1, 2, 3])
  })
})
