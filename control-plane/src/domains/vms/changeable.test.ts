import { expect, test } from 'vitest'
import type { ServerView } from '../servers/index.ts'
import { whyNotChangeable } from './changeable.ts'

const machine = (given: Partial<ServerView>): ServerView =>
  ({ holds: [], nodeOnline: true, desiredPower: 'on', restartAt: null, ...given }) as ServerView

test('a machine that cannot be changed explains its state and the next step', () => {
  const why = (given: Partial<ServerView>) => whyNotChangeable(machine(given))
  expect(why({ observedState: 'running' })).toBe('The machine is running: stop it first')
  expect(why({ observedState: 'stopped' })).toBe('The machine is starting: stop it first')
  expect(why({ observedState: 'crashed' })).toContain('mark it as stopped first')
  expect(why({ observedState: 'crashed', restartAt: '2026-11-22T18:00:00.000Z' })).toContain(
    'about to restart',
  )
  const stopping = (given: Partial<ServerView>) =>
    whyNotChangeable(machine(given), { stopping: true })
  expect(stopping({ observedState: 'running' })).toBeNull()
  expect(stopping({ observedState: 'installing' })).toContain('wait until it is ready')
  expect(why({ observedState: 'crashed', desiredPower: 'off' })).toBeNull()
})
