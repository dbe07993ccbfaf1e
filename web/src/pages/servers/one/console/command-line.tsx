import SendHorizontal from 'lucide-react/icons/send-horizontal'
import { type ClipboardEvent, type FormEvent, type KeyboardEvent, useState } from 'react'
import { Button } from '../../../../ui/buttons/button.tsx'
import { ConfirmDialog } from '../../../../ui/dialogs/confirm.tsx'
import styles from './console.module.css'
import { keepCommand, readCommands } from './history.ts'

interface CommandLineProps {
  serverId: string
  disabledBecause: string | undefined
  onSend: (line: string) => void
}

/** The command input: history with the arrow keys, a confirmation before pasting several lines. */
export function CommandLine({ serverId, disabledBecause, onSend }: CommandLineProps) {
  const [text, setText] = useState('')
  const [commands, setCommands] = useState(() => readCommands(serverId))
  const [back, setBack] = useState(0)
  const [pasted, setPasted] = useState<readonly string[]>()

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
  }
  const recall = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const next = Math.min(commands.length, Math.max(0, back + step))
    setBack(next)
    setText(next === 0 ? '' : (commands.at(-next) ?? ''))
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
      <input
        aria-label="Command"
        placeholder={disabledBecause ?? 'Type a command'}
        value={text}
        disabled={disabledBecause !== undefined}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={1024}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={recall}
        onPaste={paste}
      />
      <Button
        type="submit"
        kind="primary"
        icon={<SendHorizontal />}
        disabledBecause={disabledBecause}
      >
        Send
      </Button>
      <ConfirmDialog
        opened={pasted !== undefined}
        onClose={() => setPasted(undefined)}
        title={`Send ${pasted?.length ?? 0} lines`}
        verb={`Send ${pasted?.length ?? 0} lines`}
        onConfirm={async () => pasted?.forEach(send)}
      >
        Each line is sent as a command of its own, beginning with “{pasted?.[0]?.slice(0, 60)}”.
      </ConfirmDialog>
    </form>
  )
}
