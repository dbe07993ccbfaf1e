import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { usePanel } from '../panel/use-panel.ts'
import { useMe } from '../session/session.ts'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { Facts } from '../ui/page/card.tsx'
import { Column, Text } from '../ui/page/layout.tsx'

const typing = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))

/** One-key shortcuts and the sheet that lists them (`?`). Inactive while somebody types. */
export default function Shortcuts() {
  const navigate = useNavigate()
  const { role } = useMe()
  const { navigation } = usePanel()
  const entries = useMemo(() => {
    const withKey = navigation.filter(({ shortcut }) => shortcut !== undefined)
    const common = withKey.filter(({ forCustomers }) => forCustomers)
    return role === 'admin' ? [...new Set([...common, ...withKey])] : common
  }, [navigation, role])
  const [opened, setOpened] = useState(false)

  useEffect(() => {
    let going = 0
    const press = (event: KeyboardEvent): void => {
      if (typing(event.target) || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === '?') {
        setOpened(true)
        return
      }
      if (event.key === '/') {
        const search = document.querySelector<HTMLInputElement>('[data-search]')
        if (!search) return
        event.preventDefault()
        search.focus()
        return
      }
      const entry =
        Date.now() - going < 1_200 ? entries.find((one) => one.shortcut === event.key) : undefined
      going = event.key === 'g' ? Date.now() : 0
      if (entry) void navigate({ to: entry.to })
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [navigate, entries])

  const rows = entries.map(
    ({ shortcut, label }) =>
      [`Go to ${label.toLowerCase()}`, <kbd key={shortcut}>g {shortcut}</kbd>] as const,
  )
  return (
    <Dialog title="Keyboard shortcuts" opened={opened} onClose={() => setOpened(false)}>
      <Column>
        <Facts
          rows={[
            ['Commands and search', <kbd key="k">Ctrl K</kbd>],
            ['Search in this list', <kbd key="/">/</kbd>],
            ['This sheet', <kbd key="?">?</kbd>],
            ...rows,
            ['Search in the console', <kbd key="f">Ctrl F</kbd>],
            ['Previous command in the console', <kbd key="up">↑</kbd>],
          ]}
        />
        <Text small muted>
          One-key shortcuts do nothing while you type in a field.
        </Text>
      </Column>
    </Dialog>
  )
}
