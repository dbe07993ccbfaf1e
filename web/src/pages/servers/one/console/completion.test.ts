import { expect, test } from 'vitest'
import { completed, completionOf } from './completion.ts'

const command = (command: string) => ({ command, description: '' })
const KNOWN = [
  command('list'),
  command('say <message>'),
  command('whitelist add <player>'),
  command('whitelist on'),
]
const words = (text: string) => {
  const { options, usage } = completionOf(text, KNOWN)
  return { options: options.map(({ command }) => command), usage: usage?.command }
}

test.each([
  ['', { options: [], usage: undefined }],
  ['l', { options: ['list'], usage: undefined }],
  ['list', { options: [], usage: undefined }],
  ['WHITE', { options: ['whitelist add <player>', 'whitelist on'], usage: undefined }],
  ['whitelist a', { options: ['whitelist add <player>'], usage: undefined }],
  ['say', { options: [], usage: 'say <message>' }],
  ['say hello', { options: [], usage: 'say <message>' }],
  ['sayonara', { options: [], usage: undefined }],
  ['whitelist add ann', { options: [], usage: 'whitelist add <player>' }],
])('after "%s" it offers %j', (text, offered) => {
  expect(words(text)).toEqual(offered)
})

test('a completed command ends with a space for its first argument', () => {
  expect(KNOWN.map(completed)).toEqual(['list', 'say ', 'whitelist add ', 'whitelist on'])
})
