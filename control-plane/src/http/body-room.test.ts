import { expect, test } from 'vitest'
import { BodyRoom } from './body-room.ts'

const room = () => new BodyRoom({ mostBytes: 100, mostBytesOfSender: 60 })

test('one sender gets no more than a share, whatever becomes of the rest', () => {
  const all = room()
  const [one, another, other] = [all.place('a'), all.place('a'), all.place('b')]
  one.take(40)
  expect(() => another.take(21)).toThrow('Too much is being received')
  another.take(20)
  other.take(40)
  expect(() => other.take(1)).toThrow('Too much is being received')
})

test('who passes on what many sent has no share, but no more than there is', () => {
  const relay = room().place(undefined)
  relay.take(100)
  expect(() => relay.take(1)).toThrow('Too much is being received')
})

test('what ends gives its room back, once', () => {
  const all = room()
  const [one, other] = [all.place('a'), all.place('a')]
  one.take(40)
  other.take(20)
  one.end()
  one.end()
  // It may still arrive, and is thrown away.
  one.take(1000)
  other.take(40)
  expect(() => other.take(1)).toThrow('Too much is being received')
  const rest = all.place('b')
  rest.take(40)
  expect(() => rest.take(1)).toThrow('Too much is being received')
})
