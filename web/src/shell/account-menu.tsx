import { useNavigate } from '@tanstack/react-router'
import BookOpen from 'lucide-react/icons/book-open'
import LogOut from 'lucide-react/icons/log-out'
import Monitor from 'lucide-react/icons/monitor'
import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import UserRound from 'lucide-react/icons/user-round'
import { paths } from '../paths.ts'
import { useChooseMode } from '../session/preferences.ts'
import { useMe, useSignOut } from '../session/session.ts'
import { IconButton } from '../ui/buttons/button.tsx'
import { ActionMenu } from '../ui/buttons/menu.tsx'
import { toastRefused } from '../ui/notices/toast.tsx'

/** Account, colour mode, sign-out. */
export function AccountMenu() {
  const me = useMe()
  const navigate = useNavigate()
  const signOut = useSignOut()
  const chooseMode = useChooseMode()
  return (
    <ActionMenu
      label={`Account ${me.email}`}
      entries={[
        {
          label: me.email,
          icon: <UserRound />,
          onSelect: () => void navigate({ to: paths.account }),
        },
        { label: 'Light', icon: <Sun />, separated: true, onSelect: () => chooseMode('light') },
        { label: 'Dark', icon: <Moon />, onSelect: () => chooseMode('dark') },
        { label: 'As the system', icon: <Monitor />, onSelect: () => chooseMode('system') },
        {
          label: 'API reference',
          icon: <BookOpen />,
          separated: true,
          onSelect: () => void window.open('/docs/api', '_blank', 'noreferrer'),
        },
        {
          label: 'Sign out',
          icon: <LogOut />,
          onSelect: () => void signOut().catch((error) => toastRefused('Not signed out', error)),
        },
      ]}
    >
      <IconButton label={`Account ${me.email}`}>
        <UserRound />
      </IconButton>
    </ActionMenu>
  )
}
