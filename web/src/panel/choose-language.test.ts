import { ENGLISH, speak } from '@lodge/shared/words/bind.ts'
import { catalogue, translation } from '@lodge/shared/words/catalogue.ts'
import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { chooseLanguage } from './choose-language.ts'
import { definePages } from './define-pages.ts'

afterEach(() => speak(ENGLISH))

test('a page waits for the words that come with it, in the chosen language', async () => {
  const root = createRootRoute()
  const toys = createRoute({
    getParentRoute: () => root,
    path: '/toys',
    component: lazyRouteComponent(async () => {
      const t = catalogue(
        { title: 'Toys', none: 'No toys yet' },
        { pl: async () => ({ default: translation({ title: 'Zabawki' }) }) },
      )
      return { default: () => `${t.title}: ${t.none}` }
    }),
  })
  await chooseLanguage([definePages({ routes: { inside: [toys] } })], 'pl')
  const page = toys.options.component
  if (!page) throw new Error('the route lost its page')
  await page.preload?.()
  expect(renderToStaticMarkup(createElement(page))).toBe('Zabawki: No toys yet')
})

test('the names that the panel begins with are in the chosen language', async () => {
  const names = catalogue(
    { toys: 'Toys' },
    { pl: async () => ({ default: translation({ toys: 'Zabawki' }) }) },
  )
  await chooseLanguage([], 'pl')
  expect(names.toys).toBe('Zabawki')
})
