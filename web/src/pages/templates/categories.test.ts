import { builtInTemplates } from '@lodge/shared/templates/builtin/all.ts'
import { expect, test } from 'vitest'
import { categoriesOf, categoryOf, grouped, inShownOrder, matches } from './categories.ts'

const builtIn = builtInTemplates().map(({ document, featured = false }) => ({
  name: document.name,
  description: document.description,
  tags: document.tags,
  icon: document.icon,
  featured,
}))
const names = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name)

test('every template that comes with Lodge has an icon and a category', () => {
  expect(builtIn.filter(({ icon }) => icon === undefined)).toEqual([])
  expect(builtIn.filter((one) => categoryOf(one).value === 'other')).toEqual([])
})

test('featured templates come first and nowhere else', () => {
  const groups = grouped(builtIn, { text: '', category: '' })
  expect(groups[0]?.label).toBe('Featured')
  const all = groups.flatMap(({ items }) => names(items))
  expect(all.toSorted()).toEqual(names(builtIn).toSorted())
  expect(names(inShownOrder(builtIn))).toEqual(all)
})

test('a search matches all words in name, description and tags, without a featured group', () => {
  const groups = grouped(builtIn, { text: 'minecraft  PROXY', category: '' })
  expect(groups.flatMap(({ items }) => names(items))).toEqual(['Minecraft: Velocity proxy'])
  expect(matches({ name: 'A', description: 'b', tags: ['voice'], featured: false }, 'voi')).toBe(
    true,
  )
})

test('a category has only its templates, and an unknown tag is no category', () => {
  const databases = grouped(builtIn, { text: '', category: 'databases' })
  expect(names(databases.flatMap(({ items }) => items)).toSorted()).toEqual(['PostgreSQL', 'Redis'])
  const strange = { name: 'A', description: '', tags: ['strange'], featured: false }
  expect(categoriesOf([strange])).toEqual([{ value: 'other', label: 'Other' }])
})
