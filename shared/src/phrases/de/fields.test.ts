import { expect, test } from 'vitest'
import { z } from 'zod'
import { cronProblem } from '../../cron/expression.ts'
import { checkVariable } from '../../templates/rules/check-variable.ts'
import { sayReason } from './index.ts'

const inGerman = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ message }) => sayReason(message))

test('a problem says in German what is wrong with each field, and all of it in one sentence', () => {
  const problem = {
    code: 'validation_failed',
    detail:
      '/name is taken; the input is required; /memoryMb must be 512 at least: the image is that large',
    errors: [
      { pointer: '/name', detail: 'is taken' },
      { pointer: '', detail: 'is required' },
      { pointer: '/memoryMb', detail: 'must be 512 at least: the image is that large' },
    ],
  }
  expect(sayReason(problem)).toEqual({
    code: 'validation_failed',
    detail:
      '/name ist schon vergeben; die Eingabe ist erforderlich; /memoryMb muss mindestens 512 sein: So groß ist das Image',
    errors: [
      { pointer: '/name', detail: 'ist schon vergeben' },
      { pointer: '', detail: 'ist erforderlich' },
      { pointer: '/memoryMb', detail: 'muss mindestens 512 sein: So groß ist das Image' },
    ],
  })
})

test('a problem without fields says its reason in German', () => {
  expect(sayReason({ detail: 'The server is suspended' })).toEqual({
    detail: 'Der Server ist gesperrt',
  })
})

test('what zod says is said in German', () => {
  expect(inGerman(z.string().min(3), 'a')).toEqual(['muss mindestens 3 Zeichen haben'])
  expect(inGerman(z.int().max(5), 6)).toEqual(['darf höchstens 5 sein (Zahl)'])
  expect(inGerman(z.strictObject({ name: z.string() }), { nom: 1 })).toEqual([
    'fehlt (erwartet: Text)',
    'kennt diesen Schlüssel nicht: "nom"',
  ])
  expect(inGerman(z.enum(['tcp', 'udp']), 'icmp')).toEqual(['muss eines davon sein: "tcp"|"udp"'])
  expect(inGerman(z.uuid(), 'x')).toEqual(['ist keine UUID'])
})

test('the name of a variable stays as people wrote it', () => {
  const fault = checkVariable({ name: 'Max players', rules: [{ rule: 'integer' }] }, 'many')
  const problem = { detail: '', errors: [{ pointer: '/variables/MAX', detail: fault ?? '' }] }
  expect(sayReason(problem).errors[0]?.detail).toBe('Max players muss eine ganze Zahl sein')
})

test('values of a sentence that are words of Lodge are said in German too', () => {
  expect(sayReason(cronProblem('61 4 * * *') ?? '')).toMatch(
    /^hat eine Minute, die nicht verstanden wird, 61: Verwenden Sie 0 bis 59, oder/,
  )
  expect(sayReason('line 3: url() is not allowed: upload images instead')).toBe(
    'Zeile 3: url() ist nicht erlaubt: Laden Sie stattdessen Bilder hoch',
  )
})
