import type { HelpName } from '@lodge/shared/help.ts'
import type { Panel } from './compose-panel.ts'
import type { NavigationEntry } from './define-pages.ts'

/** The entry of the navigation for a page: the one with the longest matching path. */
export const entryAt = (
  navigation: readonly NavigationEntry[],
  path: string,
): NavigationEntry | undefined =>
  navigation
    .filter(({ to, exact }) => path === to || (!exact && path.startsWith(`${to}/`)))
    .toSorted((a, b) => b.to.length - a.to.length)[0]

/** The document that explains the page at this path, if there is one. */
export function helpAt(
  { navigation, serverTabs, actions }: Pick<Panel, 'navigation' | 'serverTabs' | 'actions'>,
  path: string,
): HelpName | undefined {
  const shape = path.replace(/^\/servers\/(?!new$)[^/]+/, '/servers/$id')
  return (
    serverTabs.find(({ to }) => to === shape)?.help ??
    actions.find(({ to, help }) => to === path && help !== undefined)?.help ??
    entryAt(navigation, path)?.help
  )
}
