import { type ReactNode, useRef, useState } from 'react'
import { Button } from '../../../ui/buttons/button.tsx'
import { AreaField } from '../../../ui/fields/area-field.tsx'
import { ProblemNote } from '../../../ui/notices/problem-note.tsx'
import { Row } from '../../../ui/page/layout.tsx'
import { AttachmentField } from './attachment-field.tsx'
import { DraftState, OtherDraft } from './draft-state.tsx'
import styles from './thread.module.css'
import type { Draft } from './use-draft.ts'
import type { Uploads } from './use-uploads.ts'
import { t } from './words.ts'

interface ComposerProps {
  label: string
  /** A hint on what to write. */
  description?: string
  draft: Draft
  uploads: Uploads
  /** The look of an internal note. */
  kind?: 'reply' | 'note'
  sendText: string
  disabledBecause?: string | undefined
  /** Compact: few lines, and the label for screen readers only. */
  small?: boolean
  /** Above the text. */
  head?: ReactNode
  /** Beside the button that sends. */
  beside?: ReactNode
  /** Beside the button that attaches. */
  more?: ReactNode
  /** The element that gets the focus on a slash as the first character; undefined types the slash. */
  slashLeadsTo?: (form: HTMLFormElement) => HTMLElement | null
  /** Resolves when it is sent; the draft is then deleted. */
  onSend: () => Promise<unknown>
}

/** The field for an answer: Markdown, files by choosing, pasting or dropping; Ctrl Enter sends. */
export function Composer(props: ComposerProps) {
  const {
    label,
    draft,
    uploads,
    kind = 'reply',
    small = false,
    sendText,
    disabledBecause,
    onSend,
  } = props
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<unknown>()
  const sending = useRef(false)
  const nothing = draft.text.trim() === '' ? t.writeFirst : undefined
  const blocked = disabledBecause ?? nothing
  const send = async (): Promise<void> => {
    if (blocked !== undefined || sending.current || uploads.busy) return
    sending.current = true
    setBusy(true)
    setRefusal(undefined)
    try {
      await draft.rest()
      await onSend()
      draft.sent()
    } catch (error) {
      setRefusal(error)
    } finally {
      sending.current = false
      setBusy(false)
    }
  }
  const takeFiles = (files: FileList): boolean => {
    if (files.length > 0) void uploads.take([...files])
    return files.length > 0
  }
  return (
    <form
      className={styles.composer}
      data-kind={kind}
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
      onKeyDown={(event) => {
        const { target, currentTarget } = event
        if (event.key === '/' && draft.text === '' && target instanceof HTMLTextAreaElement) {
          const there = props.slashLeadsTo?.(currentTarget)
          if (there) event.preventDefault()
          there?.focus()
        }
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        void send()
      }}
      onPaste={(event) => {
        if (takeFiles(event.clipboardData.files)) event.preventDefault()
      }}
      onDragOver={(event) => {
        if (event.dataTransfer.items.length > 0) event.preventDefault()
      }}
      onDrop={(event) => {
        if (takeFiles(event.dataTransfer.files)) event.preventDefault()
      }}
    >
      {props.head}
      <AreaField
        label={label}
        description={props.description}
        bare={small}
        rows={small ? 4 : 6}
        width="fill"
        value={draft.text}
        onChange={draft.write}
      />
      <AttachmentField uploads={uploads} small={small} beside={props.more} />
      <OtherDraft draft={draft} />
      {refusal === undefined ? null : <ProblemNote error={refusal} />}
      <Row>
        <Button type="submit" kind="primary" busy={busy || uploads.busy} disabledBecause={blocked}>
          {sendText}
        </Button>
        {props.beside}
        <DraftState draft={draft} />
      </Row>
    </form>
  )
}
