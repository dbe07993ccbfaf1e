import type { ConnectRequest, Report } from '@lodge/proto/fleet.ts'
import { expect, it } from 'vitest'
import { Writer } from './writer.ts'

const reports: Report[] = Array.from({ length: 32 }, (_, index) => ({
  sequence: index + 1,
  content: { $case: 'metrics', value: { servers: [], nodes: [] } },
}))

const writer = () =>
  new Writer({
    observation: () => undefined,
    reportsAfter: (sequence, limit) =>
      reports.filter((report) => report.sequence > sequence).slice(0, limit),
    clock: { nowMs: () => 1_000, after: () => () => undefined },
  })

/** The numbers of the reports that arrive on a line that is full after so many of them. */
function line(most: number) {
  const sent: number[] = []
  return {
    sent,
    write({ message }: ConnectRequest) {
      if (message?.$case === 'report') sent.push(message.value.sequence)
      return sent.length < most
    },
    onDrain: () => undefined,
  }
}

it('goes on after the last report that was stored, wherever the stream before broke', () => {
  const sending = writer()
  const [broken, next] = [line(20), line(100)]
  sending.open(broken, 0)
  expect(broken.sent.at(-1)).toBe(20)
  sending.close()
  sending.open(next, 5)
  expect(next.sent).toEqual(reports.slice(5).map(({ sequence }) => sequence))
})
