import { expect, test } from 'vitest'
import { SeenSince } from './seen-since.ts'

const rows = [{ jobId: 'a' }, { jobId: 'b' }]

test('an absence counts only once it has been observed for a while without a gap', () => {
  const seen = new SeenSince()
  expect(seen.seenFor(rows, 0, 3_000)).toEqual([])
  expect(seen.seenFor(rows, 2_999, 3_000)).toEqual([])
  // One came back for a moment.
  expect(seen.seenFor([{ jobId: 'a' }], 3_000, 3_000)).toEqual([{ jobId: 'a' }])
  expect(seen.seenFor(rows, 4_000, 3_000)).toEqual([{ jobId: 'a' }])
  // Nobody looked for a minute, as during an outage of the database.
  expect(seen.seenFor(rows, 64_000, 3_000)).toEqual([])
  expect(seen.seenFor(rows, 67_000, 3_000)).toEqual(rows)
})
