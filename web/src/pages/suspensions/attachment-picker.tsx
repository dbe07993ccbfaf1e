import {
  type Attachment,
  MAX_ATTACHMENT_BYTES,
  MAX_ATTACHMENTS,
} from '@lodge/shared/attachments.ts'
import { useState } from 'react'
import { formatBytes } from '../../ui/data/numbers.ts'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Column, Row, Text } from '../../ui/page/layout.tsx'
import { tooMany } from './attach.ts'
import { AttachButton } from './attach-button.tsx'
import { ChosenFile } from './chosen-file.tsx'
import { RepeatedFile } from './repeated-file.tsx'
import { SendingFile } from './sending-file.tsx'
import { useAttach } from './use-attach.ts'
import { t } from './words.ts'

interface AttachmentPickerProps {
  /** The URL for uploads. */
  address: string
  value: readonly Attachment[]
  onChange: (value: readonly Attachment[]) => void
}

/** Files to send with a message, uploaded as soon as they are chosen. */
export function AttachmentPicker({ address, value, onChange }: AttachmentPickerProps) {
  const [busy, setBusy] = useState(false)
  const { sending, repeated, send, pictureOf } = useAttach(address)
  const [refusal, setRefusal] = useState<unknown>()
  const take = async (files: readonly File[]): Promise<void> => {
    setBusy(true)
    setRefusal(undefined)
    let taken = value
    try {
      const room = MAX_ATTACHMENTS - value.length
      for (const file of files.slice(0, room)) {
        taken = await send(file, taken)
      }
      if (files.length > room) throw tooMany(MAX_ATTACHMENTS)
    } catch (error) {
      setRefusal(error)
    }
    onChange(taken)
    setBusy(false)
  }
  return (
    <Column gap={8}>
      <Row>
        <AttachButton count={value.length} busy={busy} onChoose={(files) => void take(files)} />
        <Text small muted>
          {t.attachHelp({ size: formatBytes(MAX_ATTACHMENT_BYTES) })}
        </Text>
      </Row>
      {sending ? <SendingFile sending={sending} /> : null}
      {repeated ? <RepeatedFile file={repeated} /> : null}
      {value.length === 0 ? null : (
        <Row>
          {value.map((file) => (
            <ChosenFile
              key={file.id}
              file={file}
              picture={pictureOf(file)}
              onRemove={() => onChange(value.filter(({ id }) => id !== file.id))}
            />
          ))}
        </Row>
      )}
      {refusal === undefined ? null : <ProblemNote error={refusal} />}
    </Column>
  )
}
