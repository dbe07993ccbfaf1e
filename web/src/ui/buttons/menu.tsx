import Check from 'lucide-react/icons/check'
import EllipsisVertical from 'lucide-react/icons/ellipsis-vertical'
import Terminal from 'lucide-react/icons/terminal'
import { cloneElement, type KeyboardEvent, type ReactElement, type ReactNode, useId } from 'react'
import type { Call } from '../../command/call.ts'
import { showCommands } from '../../command/shown-commands.ts'
import styles from '../floating/floating.module.css'
import { Floating } from '../floating/floating.tsx'
import { IconButton } from './button.tsx'
import { t } from './words.ts'

export interface MenuEntry {
  readonly label: string
  readonly icon?: ReactNode
  readonly danger?: boolean
  /** For one of several exclusive entries: whether it is the chosen one. */
  readonly chosen?: boolean
  /** A separator above this entry. */
  readonly separated?: boolean
  readonly disabledBecause?: string | undefined
  /** The call behind it; the menu then offers to show it as a command. */
  readonly call?: Call
  readonly onSelect: () => void
}

interface ActionMenuProps {
  /** Name of the button that opens the menu. */
  label: string
  entries: readonly MenuEntry[]
  /** The trigger, if not the three dots. */
  children?: ReactElement<{ popoverTarget?: string; 'aria-haspopup'?: 'menu' }>
  size?: 'small' | 'medium'
}

const WIDTH = 230

/** The arrow keys wrap around, Home and End jump to the ends, Tab closes. */
function steer(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^="menuitem"]')]
  const at = items.findIndex((item) => item.matches(':focus'))
  const next: Record<string, number> = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: (at - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  }
  const to = next[event.key]
  if (event.key === 'Tab') event.currentTarget.hidePopover()
  if (to === undefined) return
  event.preventDefault()
  items[to]?.focus()
}

/** A menu of actions. Disabled entries stay visible with the reason below their name. */
export function ActionMenu({ label, entries, children, size = 'medium' }: ActionMenuProps) {
  const id = useId()
  const commands = entries.flatMap(({ label: name, call }) => (call ? [{ label: name, call }] : []))
  const all: readonly MenuEntry[] =
    commands.length === 0
      ? entries
      : [
          ...entries,
          {
            label: t.showCommands,
            icon: <Terminal />,
            separated: true,
            onSelect: () => showCommands({ title: t.commandsOf({ menu: label }), commands }),
          },
        ]
  const opener = children ?? (
    <IconButton label={label} size={size}>
      <EllipsisVertical />
    </IconButton>
  )
  const choose = (entry: MenuEntry, close: () => void): void => {
    if (entry.disabledBecause !== undefined) return
    close()
    entry.onSelect()
  }
  return (
    <>
      {cloneElement(opener, { popoverTarget: id, 'aria-haspopup': 'menu' })}
      <Floating id={id} label={label} role="menu" width={WIDTH} align="end" onKeyDown={steer}>
        {(close) =>
          all.map((entry, index) => [
            entry.separated ? <hr key={`${entry.label} line`} className={styles.line} /> : null,
            // biome-ignore lint/a11y/useAriaPropsSupportedByRole: checked only with the role menuitemradio
            <button
              key={entry.label}
              type="button"
              role={entry.chosen === undefined ? 'menuitem' : 'menuitemradio'}
              aria-checked={entry.chosen}
              tabIndex={-1}
              className={styles.item}
              aria-disabled={entry.disabledBecause !== undefined || undefined}
              data-danger={entry.danger || undefined}
              data-autofocus={index === 0 || undefined}
              onClick={() => choose(entry, close)}
            >
              {entry.icon}
              <span>
                {entry.label}
                {entry.disabledBecause ? <small>{entry.disabledBecause}</small> : null}
              </span>
              {entry.chosen ? <Check className={styles.check} /> : null}
            </button>,
          ])
        }
      </Floating>
    </>
  )
}
