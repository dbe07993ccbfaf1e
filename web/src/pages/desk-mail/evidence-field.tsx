import { MAX_EVIDENCE, MAX_EVIDENCE_BYTES } from '@lodge/shared/support/abuse.ts'
import Paperclip from 'lucide-react/icons/paperclip'
import { useRef } from 'react'
import { Button } from '../../ui/buttons/button.tsx'
import { formatBytes } from '../../ui/data/numbers.ts'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Column, Row, Text } from '../../ui/page/layout.tsx'
import { ChosenFile } from '../suspensions/chosen-file.tsx'
import { SendingFile } from '../suspensions/sending-file.tsx'
import type { useEvidence } from './use-evidence.ts'
import { t } from './words.ts'

/** Files with evidence for a report. */
export function EvidenceField({ evidence }: { evidence: ReturnType<typeof useEvidence> }) {
  const input = useRef<HTMLInputElement>(null)
  const { files, sending, refusal, take, remove } = evidence
  const isFull = files.length >= MAX_EVIDENCE
  return (
    <Column gap={8}>
      <input
        ref={input}
        hidden
        type="file"
        multiple
        aria-label={t.addFiles}
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
          busy={sending !== undefined}
          disabledBecause={isFull ? t.filesFull({ count: MAX_EVIDENCE }) : undefined}
          onClick={() => input.current?.click()}
        >
          {t.addFiles}
        </Button>
      </Row>
      <Text small muted>
        {t.filesHelp({ count: MAX_EVIDENCE, size: formatBytes(MAX_EVIDENCE_BYTES) })}
      </Text>
      {sending ? <SendingFile sending={sending} /> : null}
      {files.length === 0 ? null : (
        <Row>
          {files.map((file) => (
            <ChosenFile
              key={file.receipt}
              file={file}
              picture={undefined}
              onRemove={() => remove(file.receipt)}
            />
          ))}
        </Row>
      )}
      {refusal === undefined ? null : <ProblemNote error={refusal} />}
    </Column>
  )
}
