import { Popover } from '@mantine/core'
import { cloneElement, type FormEvent, type ReactElement, type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Column, Row, Text } from './layout.tsx'
import { ProblemNote } from './problem-note.tsx'
import { TextField } from './text-field.tsx'

interface QuickConfirmProps {
  question: string
  /** Verb and object. */
  verb: string
  onConfirm: () => void
  /** The button that asks; it gets the click. */
  children: ReactElement<{ onClick?: () => void }>
}

/** Level 1: a small question beside the button, for things that are a nuisance but lose nothing. Enter confirms. */
export function QuickConfirm({ question, verb, onConfirm, children }: QuickConfirmProps) {
  const [opened, setOpened] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setOpened(false)
    onConfirm()
  }
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      trapFocus
      returnFocus
      shadow="md"
      width={250}
      position="bottom"
    >
      <Popover.Target>
        {cloneElement(children, { onClick: () => setOpened(!opened) })}
      </Popover.Target>
      <Popover.Dropdown aria-label={question}>
        <form onSubmit={submit}>
          <Column gap={10}>
            <Text>{question}</Text>
            <Row>
              <Button type="submit" kind="primary" size="small" data-autofocus>
                {verb}
              </Button>
              <Button size="small" onClick={() => setOpened(false)}>
                Cancel
              </Button>
            </Row>
          </Column>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}

interface ConfirmDialogProps {
  opened: boolean
  onClose: () => void
  title: string
  /** What will happen, concretely. */
  children: ReactNode
  verb: string
  /** Level 3: the text that has to be typed (or pasted) first. */
  typed?: string
  onConfirm: () => Promise<unknown>
}

/** Levels 2 and 3: a dialog that names the effects; the refusal of the action appears inside it. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Dialog title={props.title} opened={props.opened} onClose={props.onClose}>
      <ConfirmForm {...props} />
    </Dialog>
  )
}

function ConfirmForm({ onClose, children, verb, typed, onConfirm }: ConfirmDialogProps) {
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<unknown>()
  const missing = typed !== undefined && text.trim() !== typed
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (missing || busy) return
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
            label={`Type “${typed}” to confirm`}
            value={text}
            onChange={setText}
            autoComplete="off"
            autoFocus
          />
        )}
        {refusal === undefined ? null : <ProblemNote error={refusal} />}
        <Row end>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            kind="danger"
            busy={busy}
            disabledBecause={missing ? 'Type the name first' : undefined}
          >
            {verb}
          </Button>
        </Row>
      </Column>
    </form>
  )
}
