import { describe, expect, it } from 'vitest'
import { Pace } from './pace.ts'

/** A pace with a manual clock, and how often it has sent. */
function paceOf() {
  const clock = { ms: 1_000_000 }
  let sent = 0
  const pace = new Pace(
    10,
    () => clock.ms,
    () => {
      sent += 1
      pace.sent()
    },
  )
  return { clock, pace, sent: () => sent }
}

describe('the pace of output', () => {
  it('sends at once after a pause', () => {
    const { clock, pace, sent } = paceOf()
    pace.output(5)
    expect(sent()).toBe(1)
    clock.ms += 10
    pace.output(5)
    expect(sent()).toBe(2)
  })

  it('coalesces output that follows soon, and sends it without waiting for more', async () => {
    const { pace, sent } = paceOf()
    pace.output(5)
    for (let bytes = 5; bytes < 100; bytes += 5) pace.output(bytes)
    expect(sent()).toBe(1)
    await expect.poll(sent).toBe(2)
  })

  it('stops gathering once a message is full', () => {
    const { pace, sent } = paceOf()
    pace.output(5)
    pace.output(32 * 1024 - 1)
    expect(sent()).toBe(1)
    pace.output(32 * 1024)
    expect(sent()).toBe(2)
  })

  it('sends answers to input at once, and gathers the output after them', () => {
    const { pace, sent } = paceOf()
    pace.output(5)
    pace.output(5)
    pace.typed()
    for (let count = 0; count < 3; count += 1) pace.output(5)
    expect(sent()).toBe(4)
    pace.output(5)
    expect(sent()).toBe(4)
    pace.stop()
  })

  it('is not delayed by a clock that was set back', async () => {
    const { clock, pace, sent } = paceOf()
    pace.output(5)
    clock.ms -= 3_600_000
    pace.output(5)
    await expect.poll(sent).toBe(2)
  })

  it('sends nothing after it was stopped', async () => {
    const [stopped, later] = [paceOf(), paceOf()]
    for (const { pace } of [stopped, later])
      for (let count = 0; count < 2; count += 1) pace.output(5)
    stopped.pace.stop()
    // Both timers would be due at the same time, the stopped one first.
    await expect.poll(later.sent).toBe(2)
    expect(stopped.sent()).toBe(1)
  })
})
