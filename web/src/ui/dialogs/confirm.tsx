import { type FormEvent, type ReactNode, useState } from 'react'
import type { Call } from '../../command/call.ts'
import { Button, type ButtonKind } from '../buttons/button.tsx'
import { TextField } from '../fields/text-field.tsx'
import { ProblemNote } from '../notices/problem-note.tsx'
import { Column, Row } from '../page/layout.tsx'
import { Dialog } from './dialog.tsx'
import { ShowCommand } from './show-command.tsx'
import { t } from './words.ts'

interface ConfirmDialogProps {
  opened: boolean
  onClose: () => void
  title: string
  /** What will happen, concretely. */
  children: ReactNode
  verb: string
  /** Instead of “Cancel”, where that could be taken for the verb. */
  back?: string
  /** Look of the confirming button; `danger` by default. */
  kind?: ButtonKind
  /** Level 3: the text that must be typed (or pasted) first. */
  typed?: string
  /** Why it cannot be confirmed yet. */
  disabledBecause?: string | undefined
  /** The call behind it, if `onConfirm` does more before it than to call the API. */
  call?: Call
  onConfirm: () => Promise<unknown>
}

/** Levels 2 and 3: a dialog that names the effects; an error of the action appears inside it. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Dialog title={props.title} opened={props.opened} onClose={props.onClose}>
      <ConfirmForm {...props} />
    </Dialog>
  )
}

function ConfirmForm(props: ConfirmDialogProps) {
  const {
    onClose,
    children,
    verb,
    back = t.cancel,
    kind = 'danger',
    typed,
    disabledBecause,
    call,
    onConfirm,
  } = props
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<unknown>()
  const missing = typed !== undefined && text.trim() !== typed
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    // Otherwise it would also submit the form of the page that opened it.
    event.stopPropagation()
    if (missing || busy || disabledBecause !== undefined) return
    setBusy(true)
    setRefusal(undefined)
    await onConfirm().then(onClose, setRefusal)
    setBusy(false)
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Column gap={14}>
        <div>{children}</div>
        {typed === undefined ? null : (
          <TextField
            label={t.typeToConfirm({ text: typed })}
            value={text}
            onChange={setText}
            autoComplete="off"
            autoFocus
          />
        )}
        {refusal === undefined ? null : <ProblemNote error={refusal} />}
        <Row>
          <Button
            type="submit"
            kind={kind}
            busy={busy}
            disabledBecause={missing ? t.typeFirst : disabledBecause}
          >
            {verb}
          </Button>
          <Button onClick={onClose}>{back}</Button>
        </Row>
        <ShowCommand call={call ?? onConfirm} />
      </Column>
    </form>
  )
}
