import { served } from '@lodge/shared/panel-paths.ts'
import { api } from '../../api.ts'
import { callOf } from '../../command/call-of.ts'
import { useRefresh } from '../../query.ts'
import { useChooseDensity, useChooseMode } from '../../session/preferences.ts'
import { useMe, useSignOut } from '../../session/session.ts'
import type { PaletteCommand } from '../../ui/dialogs/palette/palette-command.ts'
import { toastRefused } from '../../ui/notices/toast.tsx'
import { openBeside } from '../help-menu.tsx'
import { openLastChanges, openShortcuts } from '../sheets.ts'
import { sideName, useSide } from '../side.ts'
import { useSwitchSide } from '../use-switch-side.ts'
import { t } from './words.ts'

const READ_ALL = { body: { all: true as const } }

/** Commands of the panel itself: how it looks, notifications, help, sign-out. */
export function usePanelCommands(): readonly PaletteCommand[] {
  const { role } = useMe()
  const chooseMode = useChooseMode()
  const chooseDensity = useChooseDensity()
  const refresh = useRefresh()
  const signOut = useSignOut()
  const switchSide = useSwitchSide()
  const [side] = useSide()
  const other = side === 'own' ? 'administration' : 'own'
  const look = (label: string, keywords: string, run: () => void): PaletteCommand => ({
    id: `look ${label}`,
    group: t.appearance,
    label,
    keywords,
    run,
  })
  const panel = (label: string, keywords: string, run: () => void): PaletteCommand => ({
    id: `panel ${label}`,
    group: t.panel,
    label,
    keywords,
    run,
  })
  return [
    ...(role === 'admin'
      ? [
          panel(t.switchSide({ side: sideName(other) }), t.switchSideKeywords, () =>
            switchSide(other),
          ),
        ]
      : []),
    {
      id: 'read-all-notifications',
      group: t.panel,
      label: t.readAll,
      keywords: t.readAllKeywords,
      call: callOf('POST /api/notifications/read', READ_ALL),
      run: async () => {
        await api('POST /api/notifications/read', READ_ALL)
        await refresh(['GET /api/notifications', 'GET /api/notifications/summary'])
        return t.allRead
      },
    },
    look(t.light, t.lightKeywords, () => chooseMode('light')),
    look(t.dark, t.darkKeywords, () => chooseMode('dark')),
    look(t.asSystem, t.asSystemKeywords, () => chooseMode('system')),
    look(t.compact, t.compactKeywords, () => chooseDensity('compact')),
    look(t.comfortable, t.comfortableKeywords, () => chooseDensity('comfortable')),
    panel(t.shortcuts, t.shortcutsKeywords, openShortcuts),
    panel(t.lastChanges, t.lastChangesKeywords, openLastChanges),
    panel(t.documents, t.documentsKeywords, () => openBeside(served.helpIndex)),
    panel(t.apiReference, t.apiReferenceKeywords, () => openBeside(served.apiDocs)),
    panel(t.signOut, t.signOutKeywords, () => {
      void signOut().catch((error: unknown) => toastRefused(t.notSignedOut, error))
    }),
  ]
}
