import type { CategoryField } from '@lodge/shared/support/desk.ts'
import { expect, test } from 'vitest'
import { answersOf, missingAnswer } from './category-fields.tsx'

const field = (key: string, type: CategoryField['type'], required = false): CategoryField => ({
  ...{ key, label: key, type, required, choices: [] },
})
const FIELDS = [
  field('version', 'text', true),
  field('players', 'number'),
  field('mods', 'checkbox'),
]

test('names the field of a category that is missing, or is no number', () => {
  expect(missingAnswer(FIELDS, { version: ' ' })).toBe('Fill in version.')
  expect(missingAnswer(FIELDS, { version: '1.21', players: 'many' })).toBe(
    'Enter a number for players.',
  )
  expect(missingAnswer(FIELDS, { version: '1.21', players: '' })).toBeUndefined()
})

test('sends the answers in the category’s types, without empty ones', () => {
  expect(answersOf(FIELDS, { version: ' 1.21 ', players: '12', mods: true })).toEqual({
    ...{ version: '1.21', players: 12, mods: true },
  })
  expect(answersOf(FIELDS, { version: '1.21' })).toEqual({ version: '1.21', mods: false })
})
