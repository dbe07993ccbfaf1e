import { expect, it } from 'vitest'
import { Broadcaster } from './broadcaster.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

it('delivers the output of a server to all its followers and to nobody else', async () => {
  const broadcaster = new Broadcaster()
  const read: string[] = []
  const ends = new AbortController()
  const reading = ['one', 'two'].map((name) =>
    broadcaster.follow(
      'mine',
      (chunk) => read.push(`${name} ${new TextDecoder().decode(chunk)}`),
      ends.signal,
    ),
  )
  broadcaster.hand('mine', bytes('a'))
  broadcaster.hand('other', bytes('b'))
  expect(read).toEqual(['one a', 'two a'])
  ends.abort()
  broadcaster.hand('mine', bytes('c'))
  await Promise.all(reading)
  expect(read).toEqual(['one a', 'two a'])
})

it('still delivers output to the others when one reader fails', () => {
  const broadcaster = new Broadcaster()
  const read: Uint8Array[] = []
  const ends = new AbortController()
  const fail = () => {
    throw new Error('a reader failed')
  }
  void broadcaster.follow('mine', fail, ends.signal)
  void broadcaster.follow('mine', (chunk) => read.push(chunk), ends.signal)
  broadcaster.hand('mine', bytes('a'))
  expect(read).toHaveLength(1)
  ends.abort()
})

it('keeps delivering to a reader that subscribes while the last one unsubscribes', async () => {
  const broadcaster = new Broadcaster()
  const read: Uint8Array[] = []
  const [first, second] = [new AbortController(), new AbortController()]
  const reading = broadcaster.follow('mine', () => {}, first.signal)
  first.abort()
  void broadcaster.follow('mine', (chunk) => read.push(chunk), second.signal)
  await reading
  broadcaster.hand('mine', bytes('a'))
  expect(read).toHaveLength(1)
  second.abort()
})

it('begins after the reader is subscribed, and never when the signal was already aborted', async () => {
  const broadcaster = new Broadcaster()
  const ends = new AbortController()
  const read: Uint8Array[] = []
  const reader = (chunk: Uint8Array) => read.push(chunk)
  const reading = broadcaster.follow('mine', reader, ends.signal, () =>
    broadcaster.hand('mine', bytes('at once')),
  )
  expect(read).toHaveLength(1)
  ends.abort()
  await reading
  let begun = 0
  await broadcaster.follow('mine', reader, ends.signal, () => (begun += 1))
  expect(begun).toBe(0)
})
