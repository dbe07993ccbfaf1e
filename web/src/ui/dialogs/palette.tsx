import ArrowLeft from 'lucide-react/icons/arrow-left'
import Search from 'lucide-react/icons/search'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { Call } from '../../command/call.ts'
import { Button } from '../buttons/button.tsx'
import { Note } from '../notices/note.tsx'
import { ProblemNote } from '../notices/problem-note.tsx'
import { Row } from '../page/layout.tsx'
import CommandView from './command-view.tsx'
import { fuzzyScore } from './fuzzy.ts'
import styles from './palette.module.css'
import { onOpenPalette, takeTyped } from './palette-store.ts'

export interface PaletteCommand {
  readonly id: string
  readonly group: string
  readonly label: string
  readonly description?: string
  /** Other words that people type for it. */
  readonly keywords?: string
  /** Its shortcut, e.g. `g s`. */
  readonly keys?: string
  readonly icon?: ReactNode
  /** The sentence to agree to first. */
  readonly confirm?: string
  readonly disabledBecause?: string | undefined
  readonly call?: Call
  /** Opens something, and the palette closes; or does something and resolves to what came of it. */
  readonly run: () => void | Promise<string>
}

type Stage =
  | { readonly of: 'list' }
  | { readonly of: 'confirm' | 'busy' | 'command'; readonly command: PaletteCommand }
  | { readonly of: 'done'; readonly command: PaletteCommand; readonly told: string }
  | { readonly of: 'refused'; readonly command: PaletteCommand; readonly error: unknown }

const MOST = 40
const LABEL = 'Search servers, pages, commands'

/** The commands that answer what was typed, best first within their group, the best group first. */
function ranked(commands: readonly PaletteCommand[], text: string): readonly PaletteCommand[] {
  if (text.trim() === '') return commands.slice(0, MOST)
  const scored = commands
    .map((command) => ({
      command,
      score: Math.max(
        fuzzyScore(text, command.label),
        fuzzyScore(text, `${command.label} ${command.keywords ?? ''} ${command.group}`) / 2,
      ),
    }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ command }) => command)
  const groups = [...new Set(scored.map(({ group }) => group))]
  return groups.flatMap((group) => scored.filter((command) => command.group === group))
}

interface CommandPaletteProps {
  commands: readonly PaletteCommand[]
  searching: boolean
  onSearch: (text: string) => void
  /** Called whenever it opens: what it offers may have changed since. */
  onOpen: () => void
}

/** The command palette; opens when first rendered, then by Ctrl K or ⌘ K. */
export function CommandPalette({ commands, searching, onSearch, onOpen }: CommandPaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [opened, setOpened] = useState(true)
  useEffect(() => onOpenPalette(() => setOpened(true)), [])
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setOpened((was) => !was)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  useEffect(() => {
    if (!opened) return dialog.current?.close()
    dialog.current?.showModal()
    onOpen()
  }, [opened])
  const close = (): void => {
    onSearch('')
    setOpened(false)
  }
  return (
    <dialog
      ref={dialog}
      className={styles.palette}
      aria-label="Search and commands"
      onClose={close}
      onPointerDown={(event) => {
        // The dialog itself is only hit outside of its content, on the veil.
        if (event.target === event.currentTarget) close()
      }}
    >
      {opened ? (
        <Inside commands={commands} searching={searching} onSearch={onSearch} onClose={close} />
      ) : null}
    </dialog>
  )
}

function Inside({
  commands,
  searching,
  onSearch,
  onClose,
}: Omit<CommandPaletteProps, 'onOpen'> & { onClose: () => void }) {
  const [text, setText] = useState('')
  const [stage, setStage] = useState<Stage>({ of: 'list' })
  const type = (next: string): void => {
    setText(next)
    onSearch(next)
  }
  useEffect(() => {
    const early = takeTyped()
    if (early !== '') type(early)
  }, [])
  const perform = async (command: PaletteCommand): Promise<void> => {
    const outcome = command.run()
    if (!(outcome instanceof Promise)) return onClose()
    setStage({ of: 'busy', command })
    await outcome.then(
      (told) => setStage({ of: 'done', command, told }),
      (error: unknown) => setStage({ of: 'refused', command, error }),
    )
  }
  const choose = (command: PaletteCommand): void => {
    if (command.disabledBecause !== undefined) return
    if (command.confirm === undefined) void perform(command)
    else setStage({ of: 'confirm', command })
  }
  if (stage.of === 'list')
    return (
      <List
        commands={ranked(commands, text)}
        text={text}
        searching={searching}
        onType={type}
        onChoose={choose}
        onShowCommand={(command) => setStage({ of: 'command', command })}
      />
    )
  return (
    <Chosen
      stage={stage}
      onBack={() => setStage({ of: 'list' })}
      onAgree={() => void perform(stage.command)}
      onClose={onClose}
    />
  )
}

interface ListProps {
  commands: readonly PaletteCommand[]
  text: string
  searching: boolean
  onType: (text: string) => void
  onChoose: (command: PaletteCommand) => void
  onShowCommand: (command: PaletteCommand) => void
}

function List({ commands, text, searching, onType, onChoose, onShowCommand }: ListProps) {
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
          aria-label={LABEL}
          aria-activedescendant={current ? optionId(current) : undefined}
          placeholder={LABEL}
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
      <div ref={list} id={id} className={styles.list} role="listbox" aria-label="Commands">
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
          {searching ? 'Searching…' : `Nothing matches “${text.trim()}”`}
        </p>
      )}
      <p className={styles.foot} aria-hidden>
        <kbd>↑</kbd> <kbd>↓</kbd> choose <kbd>Enter</kbd> open or run
        {current?.call ? (
          <>
            {' '}
            <kbd>Ctrl Enter</kbd> show as curl
          </>
        ) : null}
      </p>
    </>
  )
}

function Chosen({
  stage,
  onBack,
  onAgree,
  onClose,
}: {
  stage: Exclude<Stage, { of: 'list' }>
  onBack: () => void
  onAgree: () => void
  onClose: () => void
}) {
  const { command } = stage
  return (
    <div className={styles.chosen}>
      <h2>{command.label}</h2>
      {stage.of === 'confirm' ? (
        <>
          <p>{command.confirm}</p>
          <Row>
            <Button kind="primary" autoFocus onClick={onAgree}>
              {command.label}
            </Button>
            <Button onClick={onBack}>Cancel</Button>
          </Row>
          {command.call ? <CommandView call={command.call} /> : null}
        </>
      ) : null}
      {stage.of === 'busy' ? <p role="status">Asking…</p> : null}
      {stage.of === 'command' && command.call ? <CommandView call={command.call} /> : null}
      {stage.of === 'done' ? (
        <Note tone="ok" role="status">
          {stage.told}
        </Note>
      ) : null}
      {stage.of === 'refused' ? <ProblemNote error={stage.error} /> : null}
      {stage.of === 'done' || stage.of === 'refused' || stage.of === 'command' ? (
        <Row>
          {stage.of === 'command' ? null : (
            <Button autoFocus onClick={onClose}>
              Close
            </Button>
          )}
          <Button kind="quiet" icon={<ArrowLeft />} onClick={onBack}>
            Back to the commands
          </Button>
        </Row>
      ) : null}
    </div>
  )
}
