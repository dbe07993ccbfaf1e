import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { PluginPage } from '@lodge/shared/plugins/page.ts'
import type { ReactNode } from 'react'
import type { NavigationEntry } from '../../panel/define-pages.ts'
import { ICONS } from './icons.ts'
import { titleOf, usePluginPages } from './use-pages.ts'
import { t } from './words.ts'

const entryOf = (one: PluginPage): NavigationEntry => ({
  to: panelPath(one.audience === 'customers' ? 'pluginPage' : 'adminPluginPage', {
    plugin: one.plugin,
    page: one.page,
  }),
  label: titleOf(one),
  icon: ICONS[one.icon],
  group: 'system',
})

interface EntriesProps {
  side: 'administration' | 'own'
  /** Renders a group of the navigation. */
  children: (group: {
    name: string
    title: string
    entries: readonly NavigationEntry[]
  }) => ReactNode
}

/** The entries of plugin pages for the current side, as a separate group. */
export default function PluginEntries({ side, children }: EntriesProps) {
  const audience = side === 'own' ? 'customers' : 'administrators'
  const entries = (usePluginPages().data?.items ?? [])
    .filter((one) => one.place === 'navigation' && one.audience === audience)
    .map(entryOf)
  return entries.length === 0 ? null : children({ name: 'pages', title: t.group, entries })
}
