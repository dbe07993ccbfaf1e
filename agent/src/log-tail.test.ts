import { expect, test } from 'vitest'
import { createLog } from './log.ts'
import { LogTail } from './log-tail.ts'

test('the newest lines are kept, the oldest first', () => {
  const tail = new LogTail()
  for (const line of ['one\n', 'two\n', 'three\n']) tail.add(line)
  expect(tail.newest(2)).toEqual(['two', 'three'])
  expect(tail.newest(0)).toEqual([])
})

test('a log that never ends takes no more than its share of memory', () => {
  const tail = new LogTail()
  for (let line = 0; line < 5_000; line++) tail.add(`${line} ${'x'.repeat(1_000)}\n`)
  const kept = tail.newest(5_000)
  expect(kept.length).toBeLessThan(600)
  expect(kept.at(-1)).toMatch(/^4999 /)
})

test('one endless line is cut', () => {
  const tail = new LogTail()
  tail.add('x'.repeat(2 ** 20))
  expect(tail.newest(1)[0]?.length).toBe(8_192)
})

test('what the agent logs is in the tail, without its secrets', () => {
  const tail = new LogTail()
  const log = createLog('info', tail, { write() {} })
  log.info({ credential: 'hunter2', nodeId: 'n' }, 'joined')
  log.debug('too quiet')
  expect(tail.newest(10).map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 'info', credential: '[secret]', nodeId: 'n', msg: 'joined' }),
  ])
})
