import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { usePanel } from '../panel/use-panel.ts'
import { useMay } from '../session/session.ts'
import { CommandPalette, type PaletteCommand } from '../ui/dialogs/palette.tsx'
import { useNavigation } from './navigation.tsx'

/** The palette's commands: pages, actions, and search results. */
export default function Palette() {
  const navigate = useNavigate()
  const client = useQueryClient()
  const may = useMay()
  const { actions, finders } = usePanel()
  const groups = useNavigation()
  const [text, setText] = useState('')
  const found = useQueries({
    queries: finders.map((finder, at) => ({
      queryKey: ['palette', at, text],
      queryFn: async () => (await finder()).default(client, text),
      enabled: text.trim() !== '',
    })),
  }).flatMap(({ data }) => data ?? [])

  const pages: PaletteCommand[] = groups.flatMap((group) =>
    group.entries.map(({ to, label }) => ({
      id: to,
      group: 'Go to',
      label,
      run: () => void navigate({ to }),
    })),
  )
  const allowed: PaletteCommand[] = actions
    .filter(({ needs }) => may(needs))
    .map(({ to, group, label }) => ({ id: to, group, label, run: () => void navigate({ to }) }))
  const things: PaletteCommand[] = found.map(({ to, params, ...shown }) => ({
    ...shown,
    run: () => void navigate({ to, params }),
  }))
  return <CommandPalette commands={[...pages, ...allowed, ...things]} onSearch={setText} />
}
