import { useNavigate } from '@tanstack/react-router'
import LogOut from 'lucide-react/icons/log-out'
import Monitor from 'lucide-react/icons/monitor'
import Moon from 'lucide-react/icons/moon'
import Server from 'lucide-react/icons/server'
import ShieldCheck from 'lucide-react/icons/shield-check'
import Sun from 'lucide-react/icons/sun'
import UserRound from 'lucide-react/icons/user-round'
import { paths } from '../paths.ts'
import { useChooseMode } from '../session/preferences.ts'
import { useMe, useSignOut } from '../session/session.ts'
import { useMode } from '../theme/theme-provider.tsx'
import { Button } from '../ui/buttons/button.tsx'
import { ActionMenu, type MenuEntry } from '../ui/buttons/menu.tsx'
import { Avatar } from '../ui/icons/avatar.tsx'
import { toastRefused } from '../ui/notices/toast.tsx'
import { Hidden } from '../ui/page/layout.tsx'
import styles from './shell.module.css'
import { SIDE_NAMES, useSide } from './side.ts'
import { useSwitchSide } from './use-switch-side.ts'

/** Account, side, colour mode, sign-out. */
export function AccountMenu() {
  const me = useMe()
  const navigate = useNavigate()
  const signOut = useSignOut()
  const chooseMode = useChooseMode()
  const [mode] = useMode()
  const [side] = useSide()
  const switchSide = useSwitchSide()
  const sides: MenuEntry[] =
    me.role === 'admin'
      ? [
          {
            label: SIDE_NAMES.administration,
            icon: <ShieldCheck />,
            separated: true,
            chosen: side === 'administration',
            onSelect: () => switchSide('administration'),
          },
          {
            label: SIDE_NAMES.own,
            icon: <Server />,
            chosen: side === 'own',
            onSelect: () => switchSide('own'),
          },
        ]
      : []
  return (
    <ActionMenu
      label={`Account ${me.email}`}
      entries={[
        {
          label: me.email,
          icon: <UserRound />,
          onSelect: () => void navigate({ to: paths.account }),
        },
        ...sides,
        {
          label: 'Light',
          icon: <Sun />,
          separated: true,
          chosen: mode === 'light',
          onSelect: () => chooseMode('light'),
        },
        {
          label: 'Dark',
          icon: <Moon />,
          chosen: mode === 'dark',
          onSelect: () => chooseMode('dark'),
        },
        {
          label: 'Same as system',
          icon: <Monitor />,
          chosen: mode === 'system',
          onSelect: () => chooseMode('system'),
        },
        {
          label: 'Sign out',
          icon: <LogOut />,
          separated: true,
          onSelect: () => void signOut().catch((error) => toastRefused('Not signed out', error)),
        },
      ]}
    >
      {/* Named by text of its own: the initials are no part of the name. */}
      <Button
        kind="quiet"
        className={styles.account}
        icon={<Avatar email={me.email} name={me.name} />}
      >
        <Hidden>Account {me.email}</Hidden>
      </Button>
    </ActionMenu>
  )
}
