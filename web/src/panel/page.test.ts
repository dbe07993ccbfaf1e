import { ENGLISH, speak } from '@lodge/shared/words/bind.ts'
import { catalogue, translation } from '@lodge/shared/words/catalogue.ts'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { page } from './page.ts'

afterEach(() => speak(ENGLISH))

const toys = (load: () => Promise<{ default: ReturnType<typeof polish> }>) =>
  page(async () => {
    const t = catalogue({ title: 'Toys', none: 'No toys yet' }, { pl: load })
    return { default: () => `${t.title}: ${t.none}` }
  })
const polish = () => translation({ title: 'Zabawki' })

test('a page waits for its texts in the panel’s language', async () => {
  speak('pl')
  const shown = toys(async () => ({ default: polish() }))
  await shown.preload?.()
  expect(renderToStaticMarkup(createElement(shown))).toBe('Zabawki: No toys yet')
})

test('a page whose texts cannot be loaded is in English', async () => {
  speak('pl')
  const shown = toys(() => Promise.reject(new Error('no connection')))
  await shown.preload?.()
  expect(renderToStaticMarkup(createElement(shown))).toBe('Toys: No toys yet')
})
