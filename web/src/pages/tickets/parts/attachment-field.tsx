import { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } from '@lodge/shared/attachments.ts'
import Paperclip from 'lucide-react/icons/paperclip'
import { type ReactNode, useRef } from 'react'
import { Button } from '../../../ui/buttons/button.tsx'
import { formatBytes } from '../../../ui/data/numbers.ts'
import { ProblemNote } from '../../../ui/notices/problem-note.tsx'
import { Column, Row, Text } from '../../../ui/page/layout.tsx'
import { ChosenFile } from '../../suspensions/chosen-file.tsx'
import { RepeatedFile } from '../../suspensions/repeated-file.tsx'
import { SendingFile } from '../../suspensions/sending-file.tsx'
import styles from './thread.module.css'
import type { Uploads } from './use-uploads.ts'
import { t } from './words.ts'

interface AttachmentFieldProps {
  uploads: Uploads
  /** Without the help. */
  small: boolean
  /** Beside the button. */
  beside?: ReactNode
}

/** Files to send with a message, uploaded as soon as they are chosen, pasted or dropped. */
export function AttachmentField({ uploads, small, beside }: AttachmentFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const { files, busy, sending, repeated, refusal, take, remove, pictureOf } = uploads
  return (
    <Column gap={8}>
      <input
        ref={input}
        className={styles.picker}
        type="file"
        multiple
        aria-label={t.attach}
        tabIndex={-1}
        onChange={(event) => {
          const chosen = [...(event.currentTarget.files ?? [])]
          event.currentTarget.value = ''
          void take(chosen)
        }}
      />
      <Row>
        <Button
          size="small"
          icon={<Paperclip />}
          busy={busy}
          disabledBecause={
            files.length >= MAX_ATTACHMENTS ? t.tooMany({ count: MAX_ATTACHMENTS }) : undefined
          }
          onClick={() => input.current?.click()}
        >
          {t.attach}
        </Button>
        {beside}
        {files.map((file) => (
          <ChosenFile
            key={file.id}
            file={file}
            picture={pictureOf(file)}
            onRemove={() => remove(file.id)}
          />
        ))}
        {files.length === 0 && !small ? (
          <Text small muted>
            {t.attachHelp({ size: formatBytes(MAX_ATTACHMENT_BYTES) })}
          </Text>
        ) : null}
      </Row>
      {sending ? <SendingFile sending={sending} /> : null}
      {repeated ? <RepeatedFile file={repeated} /> : null}
      {refusal === undefined ? null : <ProblemNote error={refusal} />}
    </Column>
  )
}
