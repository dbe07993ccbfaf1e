import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { paths } from '../paths.ts'
import { useMe } from '../session/session.ts'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { Facts } from '../ui/page/card.tsx'
import { Column, Text } from '../ui/page/layout.tsx'

const GO = {
  s: ['Servers', paths.servers],
  j: ['Jobs', paths.jobs],
  a: ['Account', paths.account],
} as const
const GO_ADMIN = {
  o: ['Overview', paths.overview],
  n: ['Nodes', paths.nodes],
  t: ['Templates', paths.templates],
  c: ['Customers', paths.customers],
} as const

const typing = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))

/** One-key shortcuts and the sheet that lists them (`?`). They are silent while somebody types. */
export default function Shortcuts() {
  const navigate = useNavigate()
  const { role } = useMe()
  const [opened, setOpened] = useState(false)

  useEffect(() => {
    const places: Record<string, readonly [string, (typeof paths)[keyof typeof paths]]> =
      role === 'admin' ? { ...GO, ...GO_ADMIN } : GO
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
      const place = Date.now() - going < 1_200 ? places[event.key] : undefined
      going = event.key === 'g' ? Date.now() : 0
      if (place) void navigate({ to: place[1] })
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [navigate, role])

  const rows = Object.entries(role === 'admin' ? { ...GO, ...GO_ADMIN } : GO).map(
    ([key, [label]]) => [`Go to ${label.toLowerCase()}`, <kbd key={key}>g {key}</kbd>] as const,
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
