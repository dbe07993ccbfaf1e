import { MAX_ATTACHMENT_BYTES } from '@lodge/shared/attachments.ts'
import type { ReactNode } from 'react'
import { formatBytes } from '../../../ui/data/numbers.ts'
import { ProblemNote } from '../../../ui/notices/problem-note.tsx'
import { Column, Row, Text } from '../../../ui/page/layout.tsx'
import { AttachButton } from '../../suspensions/attach-button.tsx'
import { ChosenFile } from '../../suspensions/chosen-file.tsx'
import { RepeatedFile } from '../../suspensions/repeated-file.tsx'
import { SendingFile } from '../../suspensions/sending-file.tsx'
import type { Uploads } from './use-uploads.ts'
import { t } from './words.ts'

interface AttachmentFieldProps {
  uploads: Uploads
  /** Hides the help text. */
  small: boolean
  /** Beside the button. */
  beside?: ReactNode
}

/** Files to send with a message, uploaded as soon as they are chosen, pasted or dropped. */
export function AttachmentField({ uploads, small, beside }: AttachmentFieldProps) {
  const { files, busy, sending, repeated, refusal, take, remove, pictureOf } = uploads
  return (
    <Column gap={8}>
      <Row>
        <AttachButton count={files.length} busy={busy} onChoose={(given) => void take(given)} />
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
