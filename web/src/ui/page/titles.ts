import { useSyncExternalStore } from 'react'
import { brandName } from '../../brand.ts'

/** The names of the open page. */
export interface Titles {
  readonly page: string
  /** The page's name in lists: without variable parts, such as a state. */
  readonly name: string
  /** The open tab; empty when there is none. */
  readonly tab: string
  /** The path at which the page set its name. */
  readonly path: string
}

let titles: Titles = { page: '', name: '', tab: '', path: '' }
const listeners = new Set<() => void>()

/** Changes a part of the window's title: the page, preceded by the open tab. */
export function call(change: Partial<Titles>): void {
  titles = { ...titles, ...change }
  document.title = [titles.tab, titles.page, brandName].filter((part) => part !== '').join(' · ')
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const shownTitles = (): Titles => titles
export const useTitles = (): Titles => useSyncExternalStore(subscribe, shownTitles, shownTitles)

let slot: HTMLElement | null = null

/** Where the frame shows the parent links of a page; null outside of the frame. */
export function putCrumbSlot(element: HTMLElement | null): void {
  slot = element
  for (const listener of listeners) listener()
}
const shownSlot = (): HTMLElement | null => slot
export const useCrumbSlot = (): HTMLElement | null =>
  useSyncExternalStore(subscribe, shownSlot, shownSlot)
