import { type GivenScheduleTask, ScheduleTask } from '@lodge/shared/schedules.ts'
import { expect, test } from 'vitest'
import { movedTask, newTask, taskBody, taskDraft, waitOf } from './task-draft.ts'
import { t } from './words.ts'

const TASKS: readonly GivenScheduleTask[] = [
  { action: 'power', power: 'kill' },
  { action: 'command', command: 'save-all', continueOnFailure: true },
  { action: 'wait', seconds: 90 },
  { action: 'wait', seconds: 7_200, otherwise: 'end' },
  { action: 'notify', message: 'Done' },
  { action: 'snapshot', keep: 3 },
  { action: 'backup', name: 'Nightly' },
  { action: 'deleteFiles', paths: ['/logs/old', '/tmp'] },
  { action: 'archiveFiles', paths: ['/world'], to: '/archives', format: 'zip', keep: 7 },
  {
    action: 'command',
    command: 'list',
    conditions: [
      { about: 'state', in: ['running', 'starting'] },
      { about: 'players', compare: 'atMost', count: 0 },
      { about: 'output', contains: 'Done', lines: 20 },
      { about: 'disk', compare: 'atLeast', percent: 90 },
      { about: 'memory', compare: 'atMost', percent: 50 },
    ],
  },
]

test.each(TASKS)('the fields of a task return what they were filled with: $action', (given) => {
  const task = ScheduleTask.parse(given)
  expect(ScheduleTask.parse(taskBody(taskDraft(task, '0')))).toEqual(task)
})

test('paths are read one per line, with or without a trailing slash', () => {
  const filled = { paths: '/world/\n\n /logs\n/', to: '/old/' }
  expect(taskBody({ ...newTask('0', 'archiveFiles'), ...filled })).toMatchObject({
    paths: ['/world', '/logs', '/'],
    to: '/old',
  })
})

test('a task moves to its place, and nowhere beyond the ends', () => {
  expect(movedTask(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
  const tasks = ['a', 'b']
  expect(movedTask(tasks, 1, 2)).toBe(tasks)
  expect(movedTask(tasks, 0, -1)).toBe(tasks)
})

test.each([
  [1, 'Wait 1 second'],
  [90, 'Wait 90 seconds'],
  [300, 'Wait 5 minutes'],
  [3_600, 'Wait 1 hour'],
])('a wait of %d seconds is named in its largest whole unit', (seconds, words) => {
  expect(t.waitOf(waitOf(seconds))).toBe(words)
})

test('counts the settings below a task’s fields', () => {
  expect(t.moreOf({ conditions: 0, goesOn: 'no' })).toBe('Conditions and failure')
  expect(t.moreOf({ conditions: 1, goesOn: 'no' })).toBe('1 condition')
  expect(t.moreOf({ conditions: 2, goesOn: 'yes' })).toBe('2 conditions, goes on if it fails')
})
