import SendHorizontal from 'lucide-react/icons/send-horizontal'
import {
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { Button } from '../../../../ui/buttons/button.tsx'
import { ConfirmDialog } from '../../../../ui/dialogs/confirm.tsx'
import { completed, completionOf, type KnownCommand } from './completion.ts'
import styles from './console.module.css'
import { keepCommand, readCommands } from './history.ts'
import { t } from './words.ts'

interface CommandLineProps {
  serverId: string
  /** The commands that the template declares. */
  known: readonly KnownCommand[]
  disabledBecause: string | undefined
  onSend: (line: string) => void
}

/**
 * The command input: history with the arrow keys, completion with Tab, a confirmation before pasting
 * several lines.
 */
export function CommandLine({ serverId, known, disabledBecause, onSend }: CommandLineProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [commands, setCommands] = useState(() => readCommands(serverId))
  const [back, setBack] = useState(0)
  const [quiet, setQuiet] = useState(true)
  const [pasted, setPasted] = useState<readonly string[]>()
  const found = completionOf(text, known)
  const offered = quiet || disabledBecause !== undefined ? [] : found.options
  const usage = quiet || disabledBecause !== undefined ? undefined : found.usage

  const send = (line: string): void => {
    onSend(line)
    if (line.trim() !== '') setCommands(keepCommand(serverId, line))
    setBack(0)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (disabledBecause !== undefined || text === '') return
    send(text)
    setText('')
    setQuiet(true)
  }
  const accept = (command: KnownCommand): void => {
    setText(completed(command))
    setQuiet(false)
    input.current?.focus()
  }
  const recall = (step: number): void => {
    const next = Math.min(commands.length, Math.max(0, back + step))
    setBack(next)
    setText(next === 0 ? '' : (commands.at(-next) ?? ''))
    setQuiet(true)
  }
  const press = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    const [first] = offered
    if (step !== 0) recall(step)
    // Without a completion, or with Shift, Tab moves to the next control.
    else if (event.key === 'Tab' && !event.shiftKey && first) accept(first)
    else if (event.key === 'Escape' && (offered.length > 0 || usage)) setQuiet(true)
    else return
    event.preventDefault()
  }
  const paste = (event: ClipboardEvent): void => {
    const lines = event.clipboardData
      .getData('text')
      .split(/\r?\n/)
      .filter((line) => line !== '')
    if (lines.length < 2) return
    event.preventDefault()
    setPasted(lines)
  }
  return (
    <form className={styles.input} onSubmit={submit}>
      {offered.length > 0 ? (
        <ul id={id} className={styles.offered} aria-label={t.completions}>
          {offered.map((one, index) => (
            <li key={one.command}>
              <button type="button" tabIndex={-1} onClick={() => accept(one)}>
                <code>{one.command}</code>
                <span>{one.description}</span>
                {index === 0 ? <kbd>{t.tabKey}</kbd> : null}
              </button>
            </li>
          ))}
        </ul>
      ) : usage ? (
        <p className={styles.offered}>
          <code>{usage.command}</code>
          <span>{usage.description}</span>
        </p>
      ) : null}
      <span className={styles.prompt} aria-hidden>
        {'>'}
      </span>
      <input
        ref={input}
        aria-label={t.command}
        aria-describedby={`${id}-hint`}
        placeholder={t.typeCommand}
        value={text}
        disabled={disabledBecause !== undefined}
        autoComplete="off"
        autoCapitalize="off"
        enterKeyHint="send"
        spellCheck={false}
        maxLength={1024}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setQuiet(false)
        }}
        onKeyDown={press}
        onPaste={paste}
      />
      <span id={`${id}-hint`} role="status" className={styles.said}>
        {disabledBecause ??
          (offered.length > 0
            ? t.offered({ count: offered.length, first: offered[0]?.command ?? '' })
            : '')}
      </span>
      <Button
        type="submit"
        kind="primary"
        icon={<SendHorizontal />}
        disabledBecause={disabledBecause}
      >
        {t.send}
      </Button>
      <ConfirmDialog
        opened={pasted !== undefined}
        onClose={() => setPasted(undefined)}
        title={t.sendLines({ count: pasted?.length ?? 0 })}
        verb={t.sendLines({ count: pasted?.length ?? 0 })}
        onConfirm={async () => pasted?.forEach(send)}
      >
        {t.sendLinesText({ line: pasted?.[0]?.slice(0, 60) ?? '' })}
      </ConfirmDialog>
    </form>
  )
}
