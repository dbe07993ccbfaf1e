import { expect, test } from 'vitest'
import { phrasebook } from './phrasebook.ts'

const say = phrasebook({
  'Not found': 'Nicht gefunden',
  'deleted {target}': 'hat {target} gelöscht',
  'deleted a backup of {target}': 'hat ein Backup von {target} gelöscht',
  'Move {server} to {node}': '{server} auf {node} umziehen',
  'Update the agent of {node}': 'Agent von {node} aktualisieren',
  'Update the agent of a node': 'Agent eines Nodes aktualisieren',
  ', and was shown the link': ' und bekam den Link angezeigt',
})

test('what the phrasebook does not know stays as it is', () => {
  expect(['My server', 'toString', '', 'deleted '].map(say)).toEqual([
    ...['My server', 'toString', '', 'deleted '],
  ])
})

test('values are put into the translation as they are', () => {
  expect(say('Move a.b (1) to $& {node}')).toBe('a.b (1) auf $& {node} umziehen')
  expect(say('Move Road to Rome to alpha')).toBe('Road to Rome auf alpha umziehen')
  expect(say('deleted two\nlines')).toBe('hat two\nlines gelöscht')
})

test('of several phrases the nearest to the text is meant', () => {
  expect(say('deleted a backup of Survival')).toBe('hat ein Backup von Survival gelöscht')
  expect(say('Update the agent of a node')).toBe('Agent eines Nodes aktualisieren')
  expect(say('Update the agent of alpha')).toBe('Agent von alpha aktualisieren')
})

test('an addition follows the translation of what it was added to', () => {
  expect(say('deleted Survival, and was shown the link')).toBe(
    'hat Survival gelöscht und bekam den Link angezeigt',
  )
})

test('of values only those are translated that are texts of Lodge', () => {
  const sayReason = phrasebook(
    { 'Too many {a}: wait': 'Zu viele {a}: warten Sie' },
    phrasebook({ attempts: 'Versuche' }),
  )
  expect(sayReason('Too many attempts: wait')).toBe('Zu viele Versuche: warten Sie')
  expect(sayReason('Too many Minecraft: wait')).toBe('Zu viele Minecraft: warten Sie')
})
