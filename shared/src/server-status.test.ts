import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ACTION_FROM,
  HOLD_KINDS,
  OBSERVED_STATES,
  SERVER_ACTIONS,
  SERVER_STATUSES,
  type StatusInput,
  serverStatus,
  stopEffect,
  whyNot,
} from './server-status.ts'

const input: fc.Arbitrary<StatusInput> = fc.record({
  desiredPower: fc.constantFrom('on', 'off'),
  observedState: fc.constantFrom(...OBSERVED_STATES),
  restartPending: fc.boolean(),
  endedWell: fc.boolean(),
  installFailed: fc.boolean(),
  holds: fc.uniqueArray(fc.constantFrom(...HOLD_KINDS)),
  nodeSilent: fc.boolean(),
})

const holds = (predicate: (given: StatusInput) => boolean) =>
  fc.assert(fc.property(input, predicate), { numRuns: 5000 })

test('every combination of facts has a known status', () => {
  holds((given) => SERVER_STATUSES.includes(serverStatus(given)))
})

test('the order and the number of holds do not matter', () => {
  holds((given) => {
    const turned = [...given.holds, ...given.holds].toReversed()
    return serverStatus({ ...given, holds: turned }) === serverStatus(given)
  })
})

test('a silent node never makes a server look as if it were known to run or to be stopped', () => {
  holds((given) => {
    const status = serverStatus({ ...given, nodeSilent: true })
    return ['unknown', 'deleting', 'migrating', 'restoring', 'snapshotting'].includes(status)
  })
})

test('a server to be off never looks running, nor one to be on as if it stayed off', () => {
  holds((given) => {
    const status = serverStatus(given)
    return given.desiredPower === 'off' ? status !== 'running' : status !== 'stopped'
  })
})

test('deleting, moving and restoring win over everything else', () => {
  for (const [hold, status] of [
    ['deleting', 'deleting'],
    ['migrating', 'migrating'],
    ['failover', 'migrating'],
    ['restoring', 'restoring'],
  ] as const)
    holds((given) => {
      const stronger = HOLD_KINDS.filter((kind) =>
        ['deleting', 'migrating', 'failover'].includes(kind),
      )
      fc.pre(!given.holds.some((kind) => stronger.includes(kind)))
      return serverStatus({ ...given, holds: [...given.holds, hold] }) === status
    })
})

test('a suspended or deleted server never looks usable', () => {
  const usable = [
    'running',
    'starting',
    'stopped',
    'crashed',
    'ended',
    'restarting',
    'install_failed',
  ]
  for (const hold of ['suspension', 'deletion'] as const)
    holds((given) => !usable.includes(serverStatus({ ...given, holds: [...given.holds, hold] })))
})

test('a server deleted by its owner is shown as to be deleted, not as suspended', () => {
  holds((given) => {
    fc.pre(given.observedState !== 'stopping')
    const status = serverStatus({ ...given, nodeSilent: false, holds: ['deletion'] })
    return status === 'deletion_scheduled'
  })
})

test('a server can be killed in every state', () => {
  for (const status of SERVER_STATUSES) expect(whyNot('kill', status)).toBeUndefined()
})

test('without holds and with a reachable node, the status follows the observation', () => {
  holds((given) => {
    const free = { ...given, holds: [], nodeSilent: false, installFailed: false }
    const status = serverStatus(free)
    const { observedState } = free
    if (free.desiredPower === 'off' && ['running', 'starting'].includes(observedState))
      return status === 'stopping'
    if (['running', 'stopping', 'starting', 'installing'].includes(observedState))
      return status === observedState
    if (observedState === 'crashed')
      return status === (free.restartPending ? 'restarting' : free.endedWell ? 'ended' : 'crashed')
    return status === (free.desiredPower === 'on' ? 'starting' : 'stopped')
  })
})

test('a desired state alone never makes a server look running', () => {
  holds((given) => {
    fc.pre(given.observedState !== 'running')
    return serverStatus(given) !== 'running'
  })
})

test('only a suspension makes a server look suspended', () => {
  holds((given) => {
    const without = given.holds.filter((kind) => kind !== 'suspension')
    return serverStatus({ ...given, holds: without }) !== 'suspended'
  })
})

test('an impossible action is explained, and a possible one is not', () => {
  for (const action of SERVER_ACTIONS)
    for (const status of SERVER_STATUSES) {
      const reason = whyNot(action, status)
      if (ACTION_FROM[action].includes(status)) expect(reason).toBeUndefined()
      else expect(reason, `${action} ${status}`).toMatch(/^[A-Z].{5,}/)
    }
})

test('why an action is impossible is said as a person would', () => {
  expect(whyNot('start', 'running')).toBe('The server is running')
  expect(whyNot('backup', 'suspended')).toBe('The server is suspended')
  expect(whyNot('unsuspend', 'running')).toBe('The server is not suspended')
  expect(whyNot('unsuspend', 'crashed')).toBe('The server has crashed')
})

test('a server that can be stopped can be killed, and an unhealthy one always has an action', () => {
  for (const status of ACTION_FROM.stop) expect(whyNot('kill', status)).toBeUndefined()
  for (const status of ['starting', 'stopping', 'installing', 'crashed', 'unknown'] as const)
    expect(whyNot('kill', status)).toBeUndefined()
  for (const status of ['crashed', 'install_failed', 'stopped'] as const)
    expect([whyNot('start', status), whyNot('reinstall', status)]).toContain(undefined)
})

test('a suspended server can only be killed or unsuspended', () => {
  const possible = SERVER_ACTIONS.filter((action) => whyNot(action, 'suspended') === undefined)
  expect(possible.toSorted()).toEqual(['kill', 'suspend', 'unsuspend'])
})

test('a server being deleted or moved can only be killed', () => {
  for (const status of ['deleting', 'migrating', 'restoring'] as const)
    expect(SERVER_ACTIONS.filter((action) => whyNot(action, status) === undefined)).toEqual([
      'kill',
    ])
})

test('stopping a server that does not run cancels its restart or marks it as stopped', () => {
  const effects = SERVER_STATUSES.filter((status) => ACTION_FROM.stop.includes(status)).map(
    (status) => [status, stopEffect({ status, restartAt: null })],
  )
  expect(Object.fromEntries(effects)).toEqual({
    starting: 'ends',
    running: 'ends',
    stopping: 'ends',
    restarting: 'ends',
    crashed: 'marks_stopped',
    ended: 'marks_stopped',
    unknown: 'ends',
  })
  const coming = { status: 'restarting', restartAt: '2026-11-22T18:00:00.000Z' } as const
  expect(stopEffect(coming)).toBe('cancels_restart')
})
