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
import { useSide } from './side.ts'
import { useSwitchSide } from './use-switch-side.ts'
import { t } from './words.ts'

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
            label: t.administration,
            icon: <ShieldCheck />,
            separated: true,
            chosen: side === 'administration',
            onSelect: () => switchSide('administration'),
          },
          {
            label: t.own,
            icon: <Server />,
            chosen: side === 'own',
            onSelect: () => switchSide('own'),
          },
        ]
      : []
  return (
    <ActionMenu
      label={t.accountOf({ email: me.email })}
      entries={[
        {
          label: me.email,
          icon: <UserRound />,
          onSelect: () => void navigate({ to: paths.account }),
        },
        ...sides,
        {
          label: t.light,
          icon: <Sun />,
          separated: true,
          chosen: mode === 'light',
          onSelect: () => chooseMode('light'),
        },
        {
          label: t.dark,
          icon: <Moon />,
          chosen: mode === 'dark',
          onSelect: () => chooseMode('dark'),
        },
        {
          label: t.asSystem,
          icon: <Monitor />,
          chosen: mode === 'system',
          onSelect: () => chooseMode('system'),
        },
        {
          label: t.signOut,
          icon: <LogOut />,
          separated: true,
          onSelect: () => void signOut().catch((error) => toastRefused(t.notSignedOut, error)),
        },
      ]}
    >
      {/* Named by an explicit text: the initials are not part of the name. */}
      <Button
        kind="quiet"
        className={styles.account}
        icon={<Avatar email={me.email} name={me.name} />}
      >
        <Hidden>{t.accountOf({ email: me.email })}</Hidden>
      </Button>
    </ActionMenu>
  )
}
