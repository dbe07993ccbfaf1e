import { Menu } from '@mantine/core'
import EllipsisVertical from 'lucide-react/icons/ellipsis-vertical'
import type { ReactElement, ReactNode } from 'react'
import { IconButton } from './button.tsx'

export interface MenuEntry {
  readonly label: string
  readonly icon?: ReactNode
  readonly danger?: boolean
  /** A line above this entry. */
  readonly separated?: boolean
  readonly disabledBecause?: string | undefined
  readonly onSelect: () => void
}

interface ActionMenuProps {
  /** Name of the button that opens the menu. */
  label: string
  entries: readonly MenuEntry[]
  /** What opens the menu, when it is not the three dots. */
  children?: ReactElement
  size?: 'small' | 'medium'
}

/** A menu of actions. Entries that cannot be used stay visible with the reason below their name. */
export function ActionMenu({ label, entries, children, size = 'medium' }: ActionMenuProps) {
  return (
    <Menu
      position="bottom-end"
      shadow="md"
      width={230}
      trapFocus
      returnFocus
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        {children ?? (
          <IconButton label={label} size={size}>
            <EllipsisVertical />
          </IconButton>
        )}
      </Menu.Target>
      <Menu.Dropdown aria-label={label}>
        {entries.map((entry) => [
          entry.separated ? <Menu.Divider key={`${entry.label} line`} /> : null,
          <Menu.Item
            key={entry.label}
            leftSection={entry.icon}
            aria-disabled={entry.disabledBecause !== undefined || undefined}
            data-danger={entry.danger || undefined}
            onClick={entry.disabledBecause === undefined ? entry.onSelect : undefined}
          >
            {entry.label}
            {entry.disabledBecause ? <small>{entry.disabledBecause}</small> : null}
          </Menu.Item>,
        ])}
      </Menu.Dropdown>
    </Menu>
  )
}
