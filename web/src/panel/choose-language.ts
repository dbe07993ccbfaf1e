import { loadTranslations, speak } from '@lodge/shared/words/bind.ts'
import { type AnyRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { Pages } from './define-pages.ts'

/** Speaks another language than English: each page waits for the words that came with it. */
export async function chooseLanguage(list: readonly Pages[], language: string): Promise<void> {
  speak(language)
  for (const { routes } of list)
    for (const route of Object.values(routes).flat()) translateFirst(route, language)
  await loadTranslations(language)
}

function translateFirst(route: AnyRoute, language: string): void {
  // `any` in the router's types: a list or a record of routes.
  const inside: readonly AnyRoute[] = Object.values(route.children ?? {})
  for (const one of inside) translateFirst(one, language)
  const page = route.options.component
  if (!page) return
  route.update({
    component: lazyRouteComponent(async () => {
      await page.preload?.()
      await loadTranslations(language)
      return { default: page }
    }),
  })
}
