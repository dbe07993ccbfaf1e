import { served } from '@lodge/shared/panel-paths.ts'
import { api } from '../api.ts'
import { callOf } from '../command/call-of.ts'
import { useRefresh } from '../query.ts'
import { useChooseDensity, useChooseMode } from '../session/preferences.ts'
import { useMe, useSignOut } from '../session/session.ts'
import type { PaletteCommand } from '../ui/dialogs/palette.tsx'
import { toastRefused } from '../ui/notices/toast.tsx'
import { openBeside } from './help-menu.tsx'
import { openLastChanges, openShortcuts } from './sheets.ts'
import { SIDE_NAMES, useSide } from './side.ts'
import { useSwitchSide } from './use-switch-side.ts'

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
    group: 'Appearance',
    label,
    keywords,
    run,
  })
  const panel = (label: string, keywords: string, run: () => void): PaletteCommand => ({
    id: `panel ${label}`,
    group: 'Panel',
    label,
    keywords,
    run,
  })
  return [
    ...(role === 'admin'
      ? [panel(`Switch to ${SIDE_NAMES[other]}`, 'side operator customer', () => switchSide(other))]
      : []),
    {
      id: 'read all notifications',
      group: 'Panel',
      label: 'Mark all notifications as read',
      keywords: 'inbox bell clear',
      call: callOf('POST /api/notifications/read', READ_ALL),
      run: async () => {
        await api('POST /api/notifications/read', READ_ALL)
        await refresh(['GET /api/notifications', 'GET /api/notifications/summary'])
        return 'All notifications are read.'
      },
    },
    look('Use light colours', 'theme bright mode', () => chooseMode('light')),
    look('Use dark colours', 'theme night mode', () => chooseMode('dark')),
    look('Use the colours of the system', 'theme auto mode', () => chooseMode('system')),
    look('Use compact density', 'rows dense', () => chooseDensity('compact')),
    look('Use comfortable density', 'rows space', () => chooseDensity('comfortable')),
    panel('Keyboard shortcuts', 'keys help', openShortcuts),
    panel('Last changes as curl…', 'api command history', openLastChanges),
    panel('Documentation', 'help manual guide', () => openBeside(served.helpIndex)),
    panel('API reference', 'http endpoints help', () => openBeside(served.apiDocs)),
    panel('Sign out', 'log out leave', () => {
      void signOut().catch((error: unknown) => toastRefused('Not signed out', error))
    }),
  ]
}
