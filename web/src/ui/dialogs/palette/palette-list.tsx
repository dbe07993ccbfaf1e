import Search from 'lucide-react/icons/search'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { rich } from '../../page/rich.ts'
import styles from './palette.module.css'
import type { PaletteCommand } from './palette-command.ts'
import { t } from './words.ts'

const KEYS = {
  key: (name: string) => <kbd>{name}</kbd>,
}

interface ListProps {
  commands: readonly PaletteCommand[]
  text: string
  searching: boolean
  onType: (text: string) => void
  onChoose: (command: PaletteCommand) => void
  onShowCommand: (command: PaletteCommand) => void
}

/** The input field and the commands that match. */
export function PaletteList({
  commands,
  text,
  searching,
  onType,
  onChoose,
  onShowCommand,
}: ListProps) {
  const id = useId()
  const [at, setAt] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const index = Math.min(at, commands.length - 1)
  const current = commands[index]
  const optionId = (command: PaletteCommand): string => `${id} ${command.id}`.replaceAll(/\s/g, '-')
  useEffect(() => {
    if (current)
      list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [current])
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (step !== undefined && commands.length > 0) {
      event.preventDefault()
      setAt((index + step + commands.length) % commands.length)
    }
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || !current) return
    event.preventDefault()
    if ((event.ctrlKey || event.metaKey) && current.call) onShowCommand(current)
    else onChoose(current)
  }
  const groups = [...new Set(commands.map(({ group }) => group))]
  return (
    <>
      <div className={styles.search}>
        <Search aria-hidden />
        <input
          // biome-ignore lint/a11y/noAutofocus: the palette was opened to type in it
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-autocomplete="list"
          aria-label={t.search}
          aria-activedescendant={current ? optionId(current) : undefined}
          placeholder={t.search}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setAt(0)
            onType(event.target.value)
          }}
          onKeyDown={press}
        />
      </div>
      <div ref={list} id={id} className={styles.list} role="listbox" aria-label={t.commands}>
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options inside a listbox
          <div key={group} role="group" aria-label={group}>
            <div className={styles.group} aria-hidden>
              {group}
            </div>
            {commands
              .filter((command) => command.group === group)
              .map((command) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
                // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
                <div
                  key={command.id}
                  id={optionId(command)}
                  role="option"
                  className={styles.option}
                  aria-selected={command === current}
                  aria-disabled={command.disabledBecause !== undefined || undefined}
                  onClick={() => onChoose(command)}
                  onPointerMove={() => setAt(commands.indexOf(command))}
                >
                  {command.icon}
                  <span>
                    {command.label}
                    {(command.disabledBecause ?? command.description) ? (
                      <small>{command.disabledBecause ?? command.description}</small>
                    ) : null}
                  </span>
                  {command.keys === undefined ? null : <kbd>{command.keys}</kbd>}
                </div>
              ))}
          </div>
        ))}
      </div>
      {commands.length > 0 ? null : (
        <p className={styles.nothing} role="status">
          {searching ? t.searching : t.nothing({ text: text.trim() })}
        </p>
      )}
      <p className={styles.foot} aria-hidden>
        {rich(current?.call ? t.keysWithCommand(KEYS) : t.keys(KEYS))}
      </p>
    </>
  )
}
