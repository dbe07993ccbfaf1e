import { keepPreviousData, useQueries, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { loadPart } from '../../load-code.ts'
import type { Found } from '../../panel/define-pages.ts'
import { usePanel } from '../../panel/use-panel.ts'
import { recentVisits } from '../../session/recent-visits.ts'
import { useMay, useMe } from '../../session/session.ts'
import { CommandPalette } from '../../ui/dialogs/palette/palette.tsx'
import type { PaletteCommand } from '../../ui/dialogs/palette/palette-command.ts'
import { useNavigation } from '../navigation.tsx'
import { entryTarget, useSide } from '../side.ts'
import { usePanelCommands } from './panel-commands.ts'
import { t } from './words.ts'

/**
 * The palette's commands: those of the open page, recent pages, all pages, actions, search results.
 */
export default function Palette() {
  const navigate = useNavigate()
  const client = useQueryClient()
  const may = useMay()
  const { id } = useMe()
  const { actions, finders } = usePanel()
  const groups = useNavigation()
  const [side] = useSide()
  const ofPanel = usePanelCommands()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const [text, setText] = useState('')
  const asked = text.trim()
  const results = useQueries({
    queries: finders.map((finder, at) => ({
      queryKey: ['palette', at, asked, asked === '' ? path : ''],
      queryFn: async () => (await loadPart(finder)).default(client, asked, path),
      // Keeps the former results until the new ones arrive.
      ...(asked === '' ? {} : { placeholderData: keepPreviousData }),
      staleTime: 0,
    })),
  })
  const found = results.flatMap(({ data }) => data ?? []).map(commandOf)

  function commandOf(one: Found): PaletteCommand {
    if ('run' in one) return one
    const { to, params, ...shown } = one
    return { ...shown, run: () => void navigate({ to, params }) }
  }
  const headings = { create: t.create, goTo: t.goTo, settings: t.settings }
  const recent: PaletteCommand[] = recentVisits(id).map((visit) => ({
    id: `recent ${visit.path}`,
    group: t.recent,
    label: visit.label,
    description: visit.kind,
    run: () => void navigate({ to: visit.path }),
  }))
  const pages: PaletteCommand[] = groups.flatMap((group) =>
    group.entries.map((entry) => ({
      id: entry.to,
      group: t.goTo,
      label: entry.label,
      ...(entry.shortcut === undefined ? {} : { keys: `g ${entry.shortcut}` }),
      run: () => void navigate(entryTarget(entry, side)),
    })),
  )
  const allowed: PaletteCommand[] = actions
    .filter(({ needs }) => needs === undefined || may(needs))
    .map(({ to, group, label, keywords }) => ({
      id: `${group} ${to} ${label}`,
      group: headings[group],
      label,
      ...(keywords === undefined ? {} : { keywords }),
      run: () => void navigate({ to }),
    }))
  // A search result is listed once: not among the recent pages as well.
  const known = new Set(found.map(({ label }) => label))
  return (
    <CommandPalette
      commands={[
        ...(asked === '' ? found : []),
        ...recent.filter(({ label }) => !known.has(label)),
        ...pages,
        ...allowed,
        ...(asked === '' ? [] : found),
        ...ofPanel,
      ]}
      searching={results.some(({ isFetching }) => isFetching)}
      onSearch={setText}
      onOpen={() => void client.invalidateQueries({ queryKey: ['palette'] })}
    />
  )
}
