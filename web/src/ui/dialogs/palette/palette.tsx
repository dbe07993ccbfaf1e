import { useEffect, useRef, useState } from 'react'
import { Chosen } from './chosen.tsx'
import styles from './palette.module.css'
import type { PaletteCommand, Stage } from './palette-command.ts'
import { PaletteList } from './palette-list.tsx'
import { onOpenPalette, stopKeepingTyped, typedSoFar } from './palette-store.ts'
import { ranked } from './ranked.ts'
import { t } from './words.ts'

interface CommandPaletteProps {
  commands: readonly PaletteCommand[]
  searching: boolean
  onSearch: (text: string) => void
  /** Called whenever it opens: the available commands may have changed since. */
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
      aria-label={t.palette}
      onClose={close}
      onPointerDown={(event) => {
        // Only a click on the backdrop hits the dialog element itself.
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
  // The field gets the focus once it shows all buffered text: an earlier keystroke would replace that
  // text.
  useEffect(() => {
    const early = typedSoFar()
    if (early === text) stopKeepingTyped()
    else if (early !== undefined) type(early)
  }, [text])
  const perform = async (command: PaletteCommand): Promise<void> => {
    const outcome = command.run()
    if (!(outcome instanceof Promise)) return onClose()
    setStage({ of: 'busy', command })
    await outcome.then(
      (message) => setStage({ of: 'done', command, message }),
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
      <PaletteList
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
