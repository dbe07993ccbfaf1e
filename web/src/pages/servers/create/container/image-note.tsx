import { Note } from '../../../../ui/notices/note.tsx'
import { t } from '../words.ts'

/** Warns before creating a server whose image may be unavailable. */
export function ImageNote({ why }: { why: string | null | undefined }) {
  if (!why) return null
  return (
    <Note tone="warn" role="status" title={t.imageMissing}>
      {t.because({ reason: why })}
    </Note>
  )
}
