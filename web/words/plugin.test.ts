import { expect, test } from 'vitest'
import { withCompiled } from './plugin.ts'

test('the build writes each message of a catalogue as its parsed parts, and where its translations are', () => {
  const source = `export const t = catalogue({
  title: 'API tokens',
  revoke: 'Revoke “{name}”?',
}, { de: loadGerman })
`
  expect(withCompiled(source, 'words.ts', 7)).toBe(`export const t = catalogue({
  title: "API tokens",
  revoke: [0,"Revoke “",["name"],"”?"],
}, 7)
`)
})

test('the build writes a translation in the same way', () => {
  const source = "export default translation({ revoke: '{name} widerrufen?' })"
  expect(withCompiled(source, 'words.de.ts')).toBe(
    'export default translation({ revoke: [0,["name"]," widerrufen?"] })',
  )
})

test('the build refuses a message that is glued together', () => {
  const source = "export const t = catalogue({ title: 'API ' + 'tokens' })"
  expect(() => withCompiled(source, 'words.ts')).toThrow('title is not one string')
})
